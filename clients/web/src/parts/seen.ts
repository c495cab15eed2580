// Marks the notices that an open table shows as read.
import { effect } from "@preact/signals";
import { away, markRead, waiting } from "../notices";

/** Notices that are read once their table is open: the others are settled by what the player does there. */
const SHOWN = new Set(["invited", "reserved", "seated", "full", "started", "substitute", "ended", "round", "ruling"]);

/** Mark the notices of the table that the player is looking at, once each. Returns how to stop. */
export function readAt(table: string): () => void {
  const marked = new Set<string>();
  return effect(() => {
    if (away.value) return;
    const shown = [...waiting.value.values()].filter(
      (notice) => notice.table === table && !notice.read && SHOWN.has(notice.kind) && !marked.has(notice.id),
    );
    for (const { id } of shown) marked.add(id);
    if (shown.length) void markRead(shown.map(({ id }) => id));
  });
}
