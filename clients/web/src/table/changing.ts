// The view after an event that comes with a change: its facts change zones, and the change has all else.
import type { EventBody, TableView } from "../api/types";
import { evolveSeen, SPECTATORS } from "./folding.ts";

const POLYNOMIAL = 0xedb88320;

/** Null if it cannot be derived from the view before; then the view must be requested. */
export function changed(before: TableView, event: EventBody): TableView | null {
  const change = event.data?.change;
  if (!change || !before.view || before.seq !== event.seq - 1) return null;
  const {
    sum,
    sights,
    asked = before.view.asked,
    agenda = before.view.agenda,
    focus = before.view.focus,
    ...beside
  } = change;
  const fields = Object.entries(sights ?? {}).map(([name, sight]) => ({ name, sight }));
  const told = event.type === "acted" ? event.data.facts : [];
  try {
    const seen = evolveSeen(fields, before.view, told, before.viewer ?? SPECTATORS);
    if (sum !== undefined && sum !== crc32(JSON.stringify(seen.zones))) return null;
    return {
      ...before,
      ...beside,
      seq: event.seq,
      head: event.head,
      view: { ...before.view, ...seen, asked, agenda, focus },
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** The CRC-32 of ASCII text. */
function crc32(text: string): number {
  let sum = ~0;
  for (let i = 0; i < text.length; i++) {
    sum ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? POLYNOMIAL : 0);
  }
  return ~sum >>> 0;
}
