// What happened, newest last. A screen reader hears the new lines.
import { useEffect, useRef } from "preact/hooks";
import type { EventBody, StoryLine } from "../api/types";
import { t } from "../i18n";
import { go } from "../route";
import { useTable } from "../table/context";
import { lastSeq } from "../table/telling";
import type { Text, Words } from "../table/words";
import { Said } from "./said";

const LATEST = 150;
const MOST_LINES = 5;

/** Lines under a heading, or under the one before; `quiet` where a heading stands for itself. */
type Entry = { head?: string; seat?: number; turn?: boolean; quiet?: boolean; lines: Text[] };

export function Log() {
  const { id, log, view, words } = useTable();
  const replay = `/t/${id}/replay`;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [log.value]);
  const own = lastSeq(log.value, view.value?.viewer ?? null);
  const entries = log.value.slice(-LATEST).flatMap((event) =>
    entriesOf(event, words.value).map((entry, nth) => ({
      entry,
      key: `${event.seq} ${nth}`,
      since: own !== null && event.seq > own,
    })),
  );
  return (
    <section class="log" aria-label={t("log")}>
      <h2>
        {t("log")}{" "}
        <a href={replay} data-action="replay" onClick={(event) => (event.preventDefault(), go(replay))}>
          {t("replay")}
        </a>
      </h2>
      <div class="entries" ref={list} role="log" aria-live="polite" aria-label={t("log")} tabIndex={0}>
        {entries.map(({ entry, key, since }) => (
          <EntryView key={key} entry={entry} since={since} />
        ))}
      </div>
    </section>
  );
}

function EntryView({ entry, since }: { entry: Entry; since: boolean }) {
  const { head, seat, turn, quiet, lines } = entry;
  const more = lines.slice(MOST_LINES);
  return (
    <div class="entry" data-goes-on={!head} data-turn={turn} data-quiet={quiet} data-since={since || undefined}>
      {head && (
        <b>
          {seat !== undefined && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}
          {head}
        </b>
      )}
      <Lines lines={lines.slice(0, MOST_LINES)} />
      {more.length > 0 && (
        <details>
          <summary>+{more.length}</summary>
          <Lines lines={more} />
        </details>
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly Text[] }) {
  return (
    <>
      {lines.map((line, nth) => (
        <p key={nth}>
          <Said text={line} />
        </p>
      ))}
    </>
  );
}

function entriesOf(event: EventBody, words: Words): Entry[] {
  switch (event.type) {
    case "acted":
      return told(event.data.story ?? [], words);
    case "game_started":
      return [{ head: t("log.started"), lines: [] }, ...told(event.data.story ?? [], words)];
    case "seated":
      return [{ head: t("log.seated", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "left":
      return [{ head: t("log.left", t("seat", event.data.seat + 1)), quiet: true, lines: [] }];
    case "taken_over":
      return [{ head: t("log.taken_over", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "undone":
      return [{ head: t("log.undone", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "game_ended":
      return [{ head: t("log.over"), lines: [{ text: t(`ended.${event.data.reason}`) }] }];
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

// What is said before a turn begins, and under each that does.
function told(story: readonly StoryLine[], words: Words): Entry[] {
  const entries: Entry[] = [{ lines: [] }];
  for (const { message, seat, turn } of story) {
    const said = words.message(message);
    if (turn) entries.push({ head: said.text, ...(seat !== null && { seat }), turn, lines: [] });
    else entries.at(-1)!.lines.push(said);
  }
  return entries.filter(({ head, lines }) => head || lines.length > 0);
}
