// What was told of a table: its events in their order, and where the line goes on when it comes back.
import { signal } from "@preact/signals";
import type { EventBody, TableView } from "../api/types";

/** So many events before the one that is seen first are told too. */
export const LOG_BEFORE = 80;

export class Ledger {
  readonly events = signal<readonly EventBody[]>([]);
  /** The last event that the line has told, and its head if that was seen. */
  seq = -1;
  head: string | null = null;

  /** From here on the line tells. */
  begin(seen: TableView): void {
    this.seq = firstBefore(seen);
  }

  told(event: EventBody): void {
    if (event.seq > this.seq) [this.seq, this.head] = [event.seq, event.head];
    this.note([event]);
  }

  /** In whatever order they come, and however often. */
  note(events: readonly EventBody[]): void {
    const known = new Map(this.events.value.map((event) => [event.seq, event]));
    for (const event of events) known.set(event.seq, event);
    this.events.value = [...known.values()].sort((a, b) => a.seq - b.seq);
  }

  /** What was told is void. */
  reset({ seq, head }: TableView): void {
    [this.seq, this.head] = [seq, head];
    this.events.value = [];
  }
}

export function firstBefore({ seq }: TableView): number {
  return Math.max(-1, seq - LOG_BEFORE);
}
