// The game log, newest last. Screen readers read new lines.
import { useEffect, useRef } from "preact/hooks";
import type { EventBody, StoryLine } from "../api/types";
import { t } from "../i18n";
import { go } from "../route";
import type { Key } from "../table/choosing";
import { useTable } from "../table/context";
import { namedIn } from "../table/marks";
import { lastSeq, occupantBefore } from "../table/telling";
import type { Text, Words } from "../table/words";
import { Said } from "./said";

const LATEST = 150;
const MOST_LINES = 5;

/** Lines under a heading, or under the previous one; `quiet` if the heading stands alone. */
type Entry = { head?: string; seat?: number; turn?: boolean; quiet?: boolean; lines: Line[] };
/** names: the pieces that the line mentions. */
type Line = { text: Text; names: readonly Key[] };

export function Log() {
  const { id, log, view, words, following } = useTable();
  const visit = following.since;
  const replay = `/t/${id}/replay`;
  const list = useRef<HTMLDivElement>(null);
  // Moves that are still to be shown are not in the log yet.
  const shown = following.left.value ? log.value.filter(({ seq }) => seq <= view.value!.seq) : log.value;
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [shown.length]);
  const pointing = usePointing();
  const own = lastSeq(log.value, view.value?.viewer ?? null);
  const latest = shown.slice(-LATEST);
  const newest = latest.findLast(({ type }) => type === "acted")?.seq ?? 0;
  const missed = visit.value === null ? undefined : latest.find(({ seq }) => seq > visit.value!)?.seq;
  const entries = latest.flatMap((event) =>
    entriesOf(event, words.value, log.value).map((entry, nth) => ({
      entry,
      key: `${event.seq} ${nth}`,
      since: own !== null && event.seq > own,
      whole: event.seq >= newest,
      visit: nth === 0 && event.seq === missed,
    })),
  );
  return (
    <section class="log" aria-label={t("log")}>
      <h2>
        {t("log")}{" "}
        <a href={replay} data-action="replay" onClick={(event) => (event.preventDefault(), go(replay))}>
          {t("replay")}
        </a>
        {following.played && (
          <button type="button" class="quiet" data-action="play-moves" onClick={() => following.again()}>
            {t("play-moves")}
          </button>
        )}
      </h2>
      <div class="entries" ref={list} role="log" aria-live="polite" aria-label={t("log")} tabIndex={0} {...pointing}>
        {entries.map(({ key, ...shown }) => (
          <EntryView key={key} {...shown} />
        ))}
      </div>
    </section>
  );
}

/** Highlight the pieces that a line mentions while it is hovered, touched or reached by the arrow keys. */
function usePointing() {
  const { pointed } = useTable();
  const point = (line: Element | null | undefined) => {
    const chosen = line instanceof HTMLElement ? line : null;
    pointed.value = chosen?.dataset["names"]?.split(" ") ?? [];
    for (const each of document.querySelectorAll(".entries [data-current]")) each.removeAttribute("data-current");
    chosen?.setAttribute("data-current", "");
  };
  const lineOf = (target: EventTarget | null) => (target instanceof Element ? target.closest("[data-names]") : null);
  return {
    onPointerOver: (event: PointerEvent) => point(lineOf(event.target)),
    onClick: (event: MouseEvent) => point(lineOf(event.target)),
    onPointerLeave: (event: PointerEvent) => event.pointerType === "mouse" && point(null),
    onBlur: () => point(null),
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
      const way = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (!way || event.target !== event.currentTarget) return;
      event.preventDefault();
      const lines = [...event.currentTarget.querySelectorAll("[data-names]")].filter((line) => line.checkVisibility());
      const at = lines.findIndex((line) => line.matches("[data-current]"));
      const next = lines[at < 0 ? lines.length - 1 : Math.min(Math.max(at + way, 0), lines.length - 1)];
      point(next);
      next?.scrollIntoView({ block: "nearest" });
    },
  };
}

type Shown = { entry: Entry; since: boolean; whole: boolean; visit: boolean };

/** whole: show all lines, as for the newest move and the end of the game; otherwise the first lines of a long move. */
function EntryView({ entry, since, whole, visit }: Shown) {
  const { head, seat, turn, quiet, lines } = entry;
  const most = whole ? lines.length : MOST_LINES;
  const more = lines.slice(most);
  return (
    <div class="entry" data-goes-on={!head} data-turn={turn} data-quiet={quiet} data-since={since || undefined}>
      {visit && (
        <p class="visit" data-visit>
          {t("since-visit")}
        </p>
      )}
      {head && (
        <b>
          {seat !== undefined && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}
          {head}
        </b>
      )}
      <Lines lines={lines.slice(0, most)} />
      {more.length > 0 && (
        <details>
          <summary>+{more.length}</summary>
          <Lines lines={more} />
        </details>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <>
      {lines.map(({ text, names }, nth) => (
        <p key={nth} data-names={names.join(" ") || undefined}>
          <Said text={text} />
        </p>
      ))}
    </>
  );
}

function entriesOf(event: EventBody, words: Words, log: readonly EventBody[]): Entry[] {
  switch (event.type) {
    case "acted":
      return told(event.data.story ?? [], words);
    case "game_started":
      return [{ head: t("log.started"), lines: [] }, ...told(event.data.story ?? [], words)];
    case "seated":
      return [{ head: t("log.seated", words.occupant(event.data.seat, event.data)), quiet: true, lines: [] }];
    case "left": {
      const { seat } = event.data;
      return [{ head: t("log.left", words.occupant(seat, occupantBefore(log, event, seat))), quiet: true, lines: [] }];
    }
    case "taken_over":
      return [{ head: t("log.taken_over", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "undone":
      return [{ head: t("log.undone", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "game_ended":
      return [{ head: t(`ended.${event.data.reason}`), lines: [] }];
    case "rating_voided":
      return [{ head: t("log.rating_voided"), lines: [] }];
    case "retired":
      return [{ head: t(`log.${event.data.why}`, words.seat(event.data.seat)), lines: [] }];
    case "consent":
      return [{ head: consent(event.data, words), quiet: true, lines: [] }];
    default:
      return [];
  }
}

function consent({ answer, question, seat }: Extract<EventBody, { type: "consent" }>["data"], words: Words): string {
  if (answer === "asked") return t(`asks.${question}`, words.seat(seat));
  return answer === "settled" ? t(`settled.${question}`) : t(`log.${answer}`, words.seat(seat));
}

// Group the lines before the first turn, and those of each turn.
function told(story: readonly StoryLine[], words: Words): Entry[] {
  const entries: Entry[] = [{ lines: [] }];
  for (const { message, seat, turn } of story) {
    const said = words.message(message);
    if (turn) entries.push({ head: said.text, ...(seat !== null && { seat }), turn, lines: [] });
    else entries.at(-1)!.lines.push({ text: said, names: namedIn(message) });
  }
  return entries.filter(({ head, lines }) => head || lines.length > 0);
}
