// Marks on the page: what others touched last, and since one's own move; and what a line of the story speaks of.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Key } from "./choosing";
import { marksOf } from "./marks";
import type { Table } from "./store";

/** Set on what is drawn: cards and slots need not know of it. */
export function useMarks(felt: RefObject<HTMLElement | null>, table: Table): void {
  const { view, log, lit, pointed } = table;
  const { seq, viewer, status } = view.value!;
  useLayoutEffect(() => {
    const marks = status === "playing" ? marksOf(log.value, viewer, seq) : [];
    mark(felt.current!, "marked", [...marks]);
  }, [view.value, log.value, lit.value]);
  useLayoutEffect(
    () =>
      mark(
        felt.current!,
        "pointed",
        pointed.value.map((key) => [key, ""]),
      ),
    [pointed.value, view.value, lit.value],
  );
}

function mark(felt: HTMLElement, name: string, marks: readonly (readonly [Key, string])[]): void {
  for (const element of felt.querySelectorAll<HTMLElement>(`[data-${name}]`)) delete element.dataset[name];
  for (const [key, value] of marks)
    for (const element of felt.querySelectorAll<HTMLElement>(selector(key))) element.dataset[name] = value;
}

function selector(key: Key): string {
  const [kind, ...rest] = key.split(":");
  if (kind === "slot") return `[data-slot="${CSS.escape(rest[0]!)}:${rest[1]}"]`;
  return kind === "seat" ? `.seat[data-seat="${rest[0]}"] .seat-head` : `[data-card="${rest[0]}"]`;
}
