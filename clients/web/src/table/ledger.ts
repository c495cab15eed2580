// The events of a table in order, and the position from which the connection resumes.
import { signal } from "@preact/signals";
import type { EventBody, TableView } from "../api/types";

/** How many events before the first view are loaded too. */
export const LOG_BEFORE = 80;

export class Ledger {
  readonly events = signal<readonly EventBody[]>([]);
  /** The last event received on the connection, and its hash if that is known. */
  seq = -1;
  head: string | null = null;

  /** Begin with this view; the connection sends what follows. */
  begin(seen: TableView): void {
    this.seq = firstBefore(seen);
  }

  told(event: EventBody): void {
    if (event.seq > this.seq) [this.seq, this.head] = [event.seq, event.head];
    this.note([event]);
  }

  /** Add events in any order; known ones are ignored. */
  note(events: readonly EventBody[]): void {
    const known = new Map(this.events.value.map((event) => [event.seq, event]));
    for (const event of events) known.set(event.seq, event);
    this.events.value = [...known.values()].sort((a, b) => a.seq - b.seq);
  }

  /** Forget all events. */
  reset({ seq, head }: TableView): void {
    [this.seq, this.head] = [seq, head];
    this.events.value = [];
  }
}

export function firstBefore({ seq }: TableView): number {
  return Math.max(-1, seq - LOG_BEFORE);
}
