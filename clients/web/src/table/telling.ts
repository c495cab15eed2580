// The log after takebacks: the events and sentences that still count.
import type { EventBody, Message, Offer } from "../api/types";
import type { Occupant } from "./words";

/** Return the events that still count, oldest first. */
export function standing(log: readonly EventBody[]): EventBody[] {
  const found: EventBody[] = [];
  for (const event of log) {
    if (event.type === "undone") while (found.length && found.at(-1)!.seq > event.data.to) found.pop();
    else found.push(event);
  }
  return found;
}

/** Return the player or bot in a seat just before an event; undefined if the log begins later. */
export function occupantBefore(log: readonly EventBody[], { seq }: EventBody, seat: number): Occupant | undefined {
  const events = log.flatMap((event) =>
    event.seq < seq && isSeating(event) && event.data.seat === seat ? [event] : [],
  );
  return events.at(-1)?.data;
}

function isSeating(event: EventBody): event is Extract<EventBody, { type: "seated" | "taken_over" | "replaced" }> {
  return event.type === "seated" || event.type === "taken_over" || event.type === "replaced";
}

/** Return the first sentence of the seat's last move. */
export function lastOf(log: readonly EventBody[], seat: number | null): Message | null {
  const acts = standing(log).flatMap((event) =>
    event.type === "acted" && event.data.seat === seat ? [event.data] : [],
  );
  return acts.at(-1)?.story?.find(({ turn }) => !turn)?.message ?? null;
}

/** Return the offer that the seat has taken, if its answer can still be changed. */
export function givenOf(log: readonly EventBody[], seat: number, offers: readonly Offer[]): Offer | null {
  const last = standing(log).findLast((event) => event.type === "acted" && event.data.seat === seat);
  if (last?.type !== "acted") return null;
  const { verb, args = [] } = last.data;
  return offers.find((offer) => offer.verb === verb && offer.args.every((arg, nth) => arg === args[nth])) ?? null;
}

/** Return the newest sentence up to an event. */
export function lastLine(log: readonly EventBody[], to: number): Message | null {
  const lines = standing(log).flatMap(({ seq, type, data }) =>
    type === "acted" && seq <= to ? (data.story ?? []) : [],
  );
  return lines.findLast(({ turn }) => !turn)?.message ?? null;
}

/** Return the seat's last event in the log. */
export function lastSeq(log: readonly EventBody[], seat: number | null): number | null {
  return standing(log).findLast((event) => event.type === "acted" && event.data.seat === seat)?.seq ?? null;
}
