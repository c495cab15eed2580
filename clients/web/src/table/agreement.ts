// What the views of a table leave out and its document says, as it is after what was told: whose it is, and what holds there.
import type { EventBody, TableBody } from "../api/types";

/** The same document where the event changes nothing of it, or was behind it already. */
export function agreedAfter(body: TableBody, event: EventBody): TableBody {
  const { seq } = event;
  if (seq <= body.seq) return body;
  if (event.type === "policies") return { ...body, seq, policies: event.data.policies };
  if (event.type === "handed_over") return { ...body, seq, host: event.data.player };
  return body;
}
