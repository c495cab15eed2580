// What happened, newest last. A screen reader hears the new lines.
import { useEffect, useRef } from "preact/hooks";
import type { EventBody } from "../api/types";
import { t } from "../i18n";
import { useTable } from "../table/context";
import type { Text, Words } from "../table/words";
import { Said } from "./said";

const MOST_LINES = 6;

export function Log() {
  const { log } = useTable();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [log.value]);
  return (
    <section class="log" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <div class="entries" ref={list} role="log" aria-live="polite" aria-label={t("log")} tabIndex={0}>
        {log.value.map((event) => <Entry key={event.seq} event={event} />)}
      </div>
    </section>
  );
}

function Entry({ event }: { event: EventBody }) {
  const { words } = useTable();
  const { head, seat, lines } = told(event, words.value);
  if (!head || (event.type === "acted" && !lines.length)) return null;
  const more = lines.length - MOST_LINES;
  return (
    <p data-seq-entry={event.seq}>
      {seat !== undefined && <span class="dot" data-seat-colour={seat} aria-hidden="true" />}
      {head && <b>{head}</b>}
      {lines.slice(0, MOST_LINES).map((line, nth) => <span class="line" key={nth}><Said text={line} /></span>)}
      {more > 0 && <span class="line">… +{more}</span>}
    </p>
  );
}

function told(event: EventBody, words: Words): { head: string; seat?: number; lines: Text[] } {
  switch (event.type) {
    case "acted": return { head: words.seat(event.data.seat), seat: event.data.seat, lines: event.data.facts.map((fact) => words.fact(fact)).filter((line) => line !== null) };
    case "game_started": return { head: t("log.started"), lines: [] };
    case "seated": return { head: t("log.seated", words.seat(event.data.seat)), seat: event.data.seat, lines: [] };
    case "left": return { head: t("log.left", t("seat", event.data.seat + 1)), lines: [] };
    case "undone": return { head: t("log.undone", words.seat(event.data.seat)), seat: event.data.seat, lines: [] };
    case "game_ended": return { head: t("log.over"), lines: [] };
    case "hidden": return { head: t("log.hidden"), lines: [] };
    default: return { head: "", lines: [] };
  }
}
