// Marks on the page: the last moves of others since the user's own, and the pieces that a line of the log mentions.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Key } from "./choosing";
import { marksOf } from "./marks";
import type { Table } from "./store";

/** Marks are set on rendered elements, so that cards and slots need not know of them. */
export function useMarks(felt: RefObject<HTMLElement | null>, table: Table): void {
  const { view, log, lit, pointed } = table;
  const { seq, viewer, status } = view.value!;
  const unfolded = useUnfolded(felt);
  const set = (name: string, marks: readonly (readonly [Key, string])[]) =>
    queueMicrotask(() => felt.current && mark(table, felt.current, name, marks)); // once everything is rendered
  useLayoutEffect(
    () => set("marked", status === "playing" ? [...marksOf(log.value, viewer, seq)] : []),
    [view.value, log.value, lit.value, unfolded],
  );
  useLayoutEffect(
    () =>
      set(
        "pointed",
        pointed.value.map((key) => [key, ""]),
      ),
    [pointed.value, view.value, lit.value],
  );
}

// Counts unfoldings, because folded contents are rendered then.
function useUnfolded(felt: RefObject<HTMLElement | null>): number {
  const times = useSignal(0);
  useEffect(() => {
    const unfolded = () => void times.value++;
    const watched = felt.current;
    watched?.addEventListener("toggle", unfolded, true);
    return () => watched?.removeEventListener("toggle", unfolded, true);
  }, []);
  return times.value;
}

function mark(table: Table, felt: HTMLElement, name: string, marks: readonly (readonly [Key, string])[]): void {
  for (const element of felt.querySelectorAll<HTMLElement>(`[data-${name}]`)) delete element.dataset[name];
  for (const [key, value] of marks) {
    const element = felt.querySelector<HTMLElement>(selector(table, key));
    if (element) element.dataset[name] = value;
  }
}

function selector(table: Table, key: Key): string {
  const [kind, value, index] = key.split(":") as [string, string, string?];
  if (kind === "slot") return `[data-slot="${CSS.escape(place(table, value))}:${index}"]`;
  return kind === "seat" ? `.seat[data-seat="${value}"] .seat-head` : `[data-card="${value}"]`;
}

/** Return where a zone is rendered: on the spaces of a map, or with another zone. */
function place(table: Table, zone: string): string {
  const { words, board } = table;
  const at = words.value.spot(zone)?.at;
  if (at === "board" && board) return board.zone;
  return at && words.value.spot(at) ? place(table, at) : zone;
}
