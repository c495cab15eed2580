// The facts of one event, gathered for the log: told apart where the turn passes, and those that are alike together.
import type { Fact, SlotBody } from "../api/types";

export type FactOf<T extends Fact["type"]> = Extract<Fact, { type: T }>;
export type Block = { seat: number; turn: boolean; groups: Fact[][] };
type OwnerOf = (slot: SlotBody) => number | null;

/** One block for who acted, and one for each turn that began; `turn` says which. */
export function gathered(actor: number, facts: readonly Fact[], ownerOf: OwnerOf): Block[] {
  const blocks: { seat: number; turn: boolean; facts: Fact[] }[] = [{ seat: actor, turn: false, facts: [] }];
  for (const fact of facts) {
    if (fact.type === "turn_passed") blocks.push({ seat: fact.seat, turn: true, facts: [] });
    else blocks.at(-1)!.facts.push(fact);
  }
  return blocks.map(({ seat, turn, facts: own }) => ({ seat, turn, groups: together(own, ownerOf) }));
}

function together(facts: readonly Fact[], ownerOf: OwnerOf): Fact[][] {
  const groups = new Map<string, Fact[]>();
  for (const [nth, fact] of facts.entries()) {
    const key = likeness(fact, ownerOf) ?? String(nth);
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups.values()];
}

// What makes facts alike; a sentence is like nothing.
function likeness(fact: Fact, ownerOf: OwnerOf): string | null {
  const named = (slot: SlotBody) => `${slot.zone} of ${ownerOf(slot)}`;
  switch (fact.type) {
    case "moved": return `moved ${named(fact.src)} ${named(fact.dst)}`;
    case "counted": return `counted ${ownerOf(fact.slot)}`;
    case "rolled": return `rolled ${named(fact.slot)}`;
    case "became": return `became ${fact.slot.zone}`;
    case "revealed": case "uncovered": return fact.type;
    default: return null;
  }
}

/** By how much each slot changed, all in all; slots that did not are left out. */
export function summed(facts: readonly FactOf<"counted">[]): { slot: SlotBody; by: number }[] {
  const sums = new Map<string, { slot: SlotBody; by: number }>();
  for (const { slot, by } of facts) {
    const key = `${slot.zone} ${slot.index}`;
    sums.set(key, { slot, by: by + (sums.get(key)?.by ?? 0) });
  }
  return [...sums.values()].filter(({ by }) => by);
}

/** What each slot became in the end. */
export function latest(facts: readonly FactOf<"became">[]): FactOf<"became">[] {
  return [...new Map(facts.map((fact) => [`${fact.slot.zone} ${fact.slot.index}`, fact])).values()];
}
