// The chapters of the notes: choose one; the author can begin, rename and delete them.
import { useDraft } from "../parts/draft";
import { MOST } from "./chapters";
import { useProjector } from "./context";
import type { Margin } from "./margin";
import { w } from "./words";

export function Chapters({ margin, at }: { margin: Margin; at: number }) {
  const projector = useProjector();
  const here = margin.nthChapter(at);
  const chosen = (nth: number) => {
    const chapter = margin.chapters[nth]!;
    void projector.visit(chapter.at, chapter.eyes);
  };
  return (
    <>
      {margin.chapters.length > 1 && (
        <label class="field">
          {w("chapter")}
          <select
            data-choice="chapter"
            value={String(here)}
            onChange={(event) => chosen(Number(event.currentTarget.value))}
          >
            {margin.chapters.map(({ title, at }, nth) => (
              <option key={nth} value={String(nth)}>
                {at}: <bdi>{title}</bdi>
              </option>
            ))}
          </select>
        </label>
      )}
      {margin.own && <Chaptering margin={margin} at={at} nth={here} />}
    </>
  );
}

function Chaptering(about: { margin: Margin; at: number; nth: number }) {
  const { margin, nth } = about;
  return (
    <details class="chaptering" data-chapter={nth}>
      <summary>{w("chapters")}</summary>
      <Naming {...about} key={margin.chapters[nth]?.at} />
    </details>
  );
}

function Naming({ margin, at, nth }: { margin: Margin; at: number; nth: number }) {
  const { chapters } = margin;
  const known = chapters[nth];
  const title = useDraft(known?.title ?? "");
  const written = title.value.trim();
  return (
    <>
      <label class="field">
        {w("chapter.title")}
        <input
          type="text"
          data-chapter-title
          maxLength={80}
          value={title.value}
          onInput={(event) => title.write(event.currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button
          type="button"
          data-action="begin-chapter"
          disabled={!written || chapters.length >= MOST || chapters.some((chapter) => chapter.at === at)}
          onClick={() => void margin.begin(at, written)}
        >
          {w("chapter.begin")}
        </button>
        {known && (
          <button
            type="button"
            data-action="rename-chapter"
            disabled={!written || written === known.title}
            onClick={() => void margin.rename(nth, written)}
          >
            {w("chapter.rename")}
          </button>
        )}
        {chapters.length > 1 && (
          <button type="button" data-action="delete-chapter" onClick={() => void margin.join(nth)}>
            {w("chapter.delete")}
          </button>
        )}
      </div>
    </>
  );
}
