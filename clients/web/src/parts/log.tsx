// What happened, newest last. A screen reader hears the new lines.
import { useEffect, useRef } from "preact/hooks";
import type { EventBody, Fact } from "../api/types";
import { t } from "../i18n";
import { useTable } from "../table/context";
import { gathered } from "../table/gathering";
import { told } from "../table/telling";
import type { Text, Words } from "../table/words";
import { Said } from "./said";

const LATEST = 150;
const MOST_LINES = 5;

/** A heading and lines under it; `quiet` where it stands for itself. */
type Entry = { head: string; seat?: number; turn?: boolean; quiet?: boolean; lines: Line[] };
type Line = Text & { sentence: boolean };

export function Log() {
  const { log, words } = useTable();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [log.value]);
  const entries = log.value.slice(-LATEST).flatMap((event) => entriesOf(event, words.value).map((entry, nth) => ({ entry, key: `${event.seq} ${nth}` })));
  return (
    <section class="log" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div class="entries" ref={list} role="log" aria-live="polite" aria-label={t("log")} tabIndex={0}>
        {entries.map(({ entry, key }, nth) => <EntryView key={key} entry={entry} goesOn={goesOn(entry, entries[nth - 1]?.entry)} />)}
      </div>
    </section>
  );
}

// Whether an entry belongs under the heading of the one before.
function goesOn(entry: Entry, before: Entry | undefined): boolean {
  return !entry.turn && before !== undefined && before.seat === entry.seat && (entry.seat !== undefined || before.head === entry.head);
}

function EntryView({ entry, goesOn }: { entry: Entry; goesOn: boolean }) {
  const { head, seat, turn, quiet, lines } = entry;
  const more = lines.slice(MOST_LINES);
  if (goesOn && !lines.length) return null;
  return (
    <div class="entry" data-goes-on={goesOn} data-turn={turn} data-quiet={quiet}>
      {!goesOn && <b>{seat !== undefined && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}{head}</b>}
      <Lines lines={lines.slice(0, MOST_LINES)} />
      {more.length > 0 && <details><summary>+{more.length}</summary><Lines lines={more} /></details>}
    </div>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return <>{lines.map((line, nth) => <p key={nth} data-sentence={line.sentence}><Said text={line} /></p>)}</>;
}

function entriesOf(event: EventBody, words: Words): Entry[] {
  switch (event.type) {
    case "acted": return acted(event, words);
    case "game_started": return [{ head: t("log.started"), lines: [] }];
    case "seated": return [{ head: t("log.seated", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "left": return [{ head: t("log.left", t("seat", event.data.seat + 1)), quiet: true, lines: [] }];
    case "undone": return [{ head: t("log.undone", words.seat(event.data.seat)), quiet: true, lines: [] }];
    case "game_ended": return [{ head: t("log.over"), lines: [] }];
    case "hidden": return [{ head: t("log.hidden"), quiet: true, lines: [] }];
    default: return [];
  }
}

function acted({ data }: Extract<EventBody, { type: "acted" }>, words: Words): Entry[] {
  const blocks = gathered(data.seat, data.facts, (slot) => words.owner(slot));
  const entries = blocks.map(({ seat, turn, groups }) => ({ head: turn ? t("log.turn", words.seat(seat)) : words.seat(seat), seat, turn, lines: linesOf(groups, seat, words) }));
  return entries.filter(({ turn, lines }) => turn || lines.length > 0);
}

function linesOf(groups: readonly Fact[][], seat: number, words: Words): Line[] {
  return groups.flatMap((facts) => {
    const text = told(facts, seat, words);
    return text ? [{ ...text, sentence: ["told", "admitted"].includes(facts[0]!.type) }] : [];
  });
}
