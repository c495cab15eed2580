// The pieces that a move touched or a sentence mentions, by their keys.
import type { EventBody, Message, Piece } from "../api/types";
import { cardKey, slotKey, type Key } from "./choosing.ts";
import type { Fact } from "./folding.ts";
import { lastSeq, standing } from "./telling.ts";

export type Mark = "last" | "since";

/** Return what others did last, and before that since the seat's own last move; `to`: the last event that counts. */
export function marksOf(log: readonly EventBody[], viewer: number | null, to: number): Map<Key, Mark> {
  const so = standing(log.filter(({ seq }) => seq <= to));
  const own = lastSeq(so, viewer);
  const moves = so.flatMap((event) => (event.type === "acted" && event.data.seat !== viewer ? [event] : []));
  const since = moves.filter(({ seq }) => seq > (own ?? -1));
  const last = since.findLast(({ data }) => data.facts.some((fact) => touched(fact).length));
  const marks = new Map<Key, Mark>();
  if (viewer !== null && own !== null)
    for (const { data } of since) for (const key of data.facts.flatMap(touched)) marks.set(key, "since");
  for (const key of last?.data.facts.flatMap(touched) ?? []) marks.set(key, "last");
  return marks;
}

/** An unseen card is represented by the place to which it moved. */
function touched(fact: Fact): Key[] {
  switch (fact.type) {
    case "moved": {
      const seen = fact.cards.filter((card) => card >= 0);
      return seen.length ? seen.map(cardKey) : [slotKey(fact.dst.zone, fact.dst.index ?? 0)];
    }
    case "uncovered":
      return [cardKey(fact.card)];
    case "counted":
    case "became":
    case "rolled":
      return [slotKey(fact.slot.zone, fact.slot.index ?? 0)];
    default:
      return [];
  }
}

/** Return the pieces that a sentence names. */
export function namedIn({ params = [] }: Message): Key[] {
  return params.flatMap(named);
}

function named({ kind, value, zone }: Piece): Key[] {
  if (kind === "cards") return (value as number[]).filter((card) => card >= 0).map(cardKey);
  if (kind === "slot") return [slotKey(zone ?? "", Number(value))];
  return kind === "card" || kind === "seat" ? [`${kind}:${value}`] : [];
}
