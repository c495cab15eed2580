// Notes on moments, and comments below the game, to read and to write.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import type { Comment, Note } from "../api/types";
import { me } from "../guest";
import { left } from "../house/time";
import { locale } from "../i18n";
import { Trouble } from "../parts/bar";
import { useDraft } from "../parts/draft";
import { Person } from "../parts/person";
import { Chapters } from "./chaptering";
import { useProjector } from "./context";
import { Drawing } from "./drawing";
import { GLYPHS, type Glyph, type Margin } from "./margin";
import { w } from "./words";

export function Notes() {
  const { film, nth, margin } = useProjector();
  const over = film.value.replay.over;
  useEffect(() => void margin.open(), [margin]);
  const at = film.value.seq(nth.value);
  // Created when unfolded, and kept, so that an unsaved text is not lost.
  const unfolded = useSignal(false);
  const open = margin.notes.length > 0;
  return (
    <details
      class="notes"
      data-notes={margin.study.value?.version ?? 0}
      open={open || undefined}
      onToggle={(event) => (unfolded.value ||= event.currentTarget.open)}
    >
      <summary>{w("notes")}</summary>
      {(open || unfolded.value) && (
        <>
          <Trouble text={margin.trouble.value} />
          <Chapters margin={margin} at={at} />
          {margin.own ? <Writing margin={margin} at={at} over={over} key={at} /> : <Reading margin={margin} at={at} />}
          <AllNotes margin={margin} />
          {over && <Comments margin={margin} at={at} />}
        </>
      )}
    </details>
  );
}

function Reading({ margin, at }: { margin: Margin; at: number }) {
  const note = margin.notes.find((each) => each.at === at);
  return (
    <p class="note" data-note={at}>
      {note ? (
        <>
          {note.glyph && <b>{GLYPHS[note.glyph]} </b>}
          <bdi>{note.text}</bdi>
        </>
      ) : (
        w("note.none")
      )}
    </p>
  );
}

function Writing({ margin, at, over }: { margin: Margin; at: number; over: boolean }) {
  const known = margin.notes.find((each) => each.at === at);
  const text = useDraft(known?.text ?? "");
  const glyph = useDraft<Glyph | "">(known?.glyph ?? "");
  const written = { text: text.value, glyph: glyph.value || null };
  const keep = (event: Event) => {
    event.preventDefault();
    void margin.note(at, written);
  };
  return (
    <form onSubmit={keep}>
      <label class="field">
        {w("note")}
        <textarea
          data-note={at}
          rows={3}
          maxLength={2000}
          value={text.value}
          onInput={(event) => text.write(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <select
          data-glyph
          aria-label={w("glyph")}
          value={glyph.value}
          onChange={(event) => glyph.write(event.currentTarget.value as Glyph | "")}
        >
          <option value="">{w("glyph.none")}</option>
          {(Object.keys(GLYPHS) as Glyph[]).map((each) => (
            <option key={each} value={each}>
              {GLYPHS[each]} {w(`glyph.${each}`)}
            </option>
          ))}
        </select>
        <button type="submit" data-action="keep-note">
          {w("note.save")}
        </button>
      </div>
      <Drawing arrows={known?.arrows ?? []} keep={(arrows) => void margin.note(at, { ...written, arrows })} />
      {over && margin.study.value && <Sharing margin={margin} />}
    </form>
  );
}

function Sharing({ margin }: { margin: Margin }) {
  const study = margin.study.value!;
  const link = `${location.origin}/t/${margin.table}/replay?study=${study.id}`;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          data-action="share-notes"
          checked={study.shared}
          onChange={(event) => void margin.share(event.currentTarget.checked)}
        />{" "}
        {w("note.share")}
      </label>
      {study.shared && (
        <a href={link} data-study={study.id}>
          {w("notes.link")}
        </a>
      )}
    </>
  );
}

function AllNotes({ margin }: { margin: Margin }) {
  if (!margin.notes.length) return null;
  const several = margin.chapters.length > 1;
  return (
    <section aria-label={w("notes.all")}>
      {margin.chapters.map(({ title, notes }, nth) => (
        <Fragment key={nth}>
          {several && <h3 dir="auto">{title}</h3>}
          {notes.length > 0 && <NotesOf notes={notes} chapter={nth} />}
        </Fragment>
      ))}
    </section>
  );
}

function NotesOf({ notes, chapter }: { notes: readonly Note[]; chapter: number }) {
  const projector = useProjector();
  return (
    <ol class="all" data-notes-of={chapter}>
      {notes.map(({ at, text, glyph }) => (
        <li key={at}>
          <button
            type="button"
            class="told"
            data-noted={at}
            onClick={() => projector.jump(projector.film.value.nth(at))}
          >
            <b>
              {at}
              {glyph && ` ${GLYPHS[glyph]}`}
            </b>{" "}
            {text}
          </button>
        </li>
      ))}
    </ol>
  );
}

function Comments({ margin, at }: { margin: Margin; at: number }) {
  const text = useSignal("");
  const say = async (event: Event) => {
    event.preventDefault();
    if (text.value.trim() && (await margin.say(at, text.value))) text.value = "";
  };
  return (
    <section aria-label={w("comments")}>
      <h3>{w("comments")}</h3>
      <ul class="all">
        {margin.comments.value.map((comment) => (
          <Said key={comment.id} comment={comment} margin={margin} />
        ))}
      </ul>
      <form onSubmit={(event) => void say(event)}>
        <label class="field">
          {w("comment.words")}
          <textarea
            data-comment
            rows={2}
            maxLength={1000}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" data-action="comment">
          {w("comment.add")}
        </button>
      </form>
    </section>
  );
}

function Said({ comment, margin }: { comment: Comment; margin: Margin }) {
  const projector = useProjector();
  const { at, text, player, said_at, hidden } = comment;
  return (
    <li data-said={comment.id}>
      <p class="by">
        <Person id={player} />{" "}
        <time dateTime={said_at} title={new Date(said_at).toLocaleString(locale.value)}>
          {left(said_at)}
        </time>
        {hidden && <span class="tag">{w("comment.hidden")}</span>}
      </p>
      {at === null ? (
        text
      ) : (
        <button type="button" class="told" onClick={() => projector.jump(projector.film.value.nth(at))}>
          <b>{at}</b> {text}
        </button>
      )}
      {player === me.value && (
        <button type="button" class="quiet" onClick={() => void margin.unsay(comment.id)}>
          {w("comment.delete")}
        </button>
      )}
    </li>
  );
}
