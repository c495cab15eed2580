// The table's document, which views do not contain, kept up to date by events: host and policies.
import type { EventBody, TableBody } from "../api/types";

/** Return the same document if the event does not change it, or was included already. */
export function agreedAfter(body: TableBody, event: EventBody): TableBody {
  const { seq } = event;
  if (seq <= body.seq) return body;
  if (event.type === "policies") return { ...body, seq, policies: event.data.policies };
  if (event.type === "handed_over") return { ...body, seq, host: event.data.player };
  return body;
}
