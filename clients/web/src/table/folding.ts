// Folds a viewer's events into its view. Knows zones and their visibility, but no game.
import type { EventBody, GameView, SlotBody, Zone } from "../api/types";

export type Fact = Extract<EventBody["data"], { facts: unknown }>["facts"][number];
/** What facts change. The asked seats and the running scripts come only with views. */
export type Seen = Pick<GameView, "zones" | "turn" | "outcome" | "always_passes">;
/** Zones of a ruleset; fully visible ones can be omitted. */
type Sighted = Pick<Zone, "name" | "sight">;
type Pile = number[];

const UNKNOWN = -1;
const NOTHING = 0;
const TOP = 1;
const ALL = 2;
/** The suffix of a window's name that a seat passes only until the turn passes. */
const THIS_TURN = "@turn";
/** By visibility: how much of an entry its own seat sees, and all others. */
const DEPTHS: Readonly<Record<string, readonly [number, number]>> = {
  public: [ALL, ALL],
  owner: [ALL, NOTHING],
  owner_top: [ALL, TOP],
  hidden: [NOTHING, NOTHING],
  covered: [NOTHING, NOTHING],
  heap: [TOP, TOP],
};

/**
 * The prefix of a zone's visibility to some seats; the name of a zone follows, which has a number for each seat: the index of
 * the entry that it sees.
 */
const MEMBERS = "members:";

export const SPECTATORS = -1;
/** The viewer that sees all hands. */
export const EVERYTHING = -2;

/** Return the view after these facts; the view before stays unchanged. audience: a seat, -1 or EVERYTHING. */
export function evolveSeen(fields: readonly Sighted[], before: Seen, facts: readonly Fact[], audience: number): Seen {
  const after: Seen = { ...before, zones: { ...before.zones } };
  for (const fact of facts) takeIn(fields, after, fact, audience);
  return after;
}

/** Return the view while a seat sees these zones only as others do. */
export function veiled(fields: readonly Sighted[], seen: Seen, zones: readonly string[]): Seen {
  const after = { ...seen, zones: { ...seen.zones } };
  for (const zone of zones) {
    const entries = seen.zones[zone] as Pile[];
    after.zones[zone] = entries.map((pile, index) => masked(pile, depth(fields, seen, { zone, index }, -1)));
  }
  return after;
}

function takeIn(fields: readonly Sighted[], seen: Seen, fact: Fact, audience: number): void {
  switch (fact.type) {
    case "moved":
      put(seen, fact.src, without(at(seen, fact.src), fact.cards));
      put(
        seen,
        fact.dst,
        masked([...at<Pile>(seen, fact.dst), ...fact.cards], depth(fields, seen, fact.dst, audience)),
      );
      break;
    case "uncovered":
      put(seen, fact.slot, [...at<Pile>(seen, fact.slot).slice(0, -1), fact.card]);
      break;
    case "counted":
      put(seen, fact.slot, at<number>(seen, fact.slot) + fact.by);
      break;
    case "became":
    case "rolled":
    case "shared":
      put(seen, fact.slot, fact.value);
      break;
    case "shuffled":
      put(
        seen,
        fact.slot,
        at<Pile>(seen, fact.slot).map(() => UNKNOWN),
      );
      break;
    case "turn_passed":
      seen.turn = fact.seat;
      seen.always_passes = (seen.always_passes ?? []).filter((name) => !name.endsWith(THIS_TURN));
      break;
    case "ended":
      seen.outcome = fact.outcome;
      break;
    case "preferred":
      seen.always_passes = preferred(seen.always_passes ?? [], fact.window, fact.on);
  }
}

function preferred(windows: readonly string[], window: string, on: boolean): string[] {
  const others = windows.filter((each) => each !== window);
  return on ? [...others, window].sort() : others;
}

/** A card that is not visible there counts as an unknown one. */
function without(pile: Pile, cards: readonly number[]): Pile {
  const left = [...pile];
  for (const card of cards) {
    const known = left.indexOf(card);
    const found = known < 0 ? left.indexOf(UNKNOWN) : known;
    if (found < 0) throw new RangeError(`card ${card} is not there`);
    left.splice(found, 1);
  }
  return left;
}

function masked(pile: Pile, depth: number): Pile {
  return depth === ALL ? pile : pile.map((card, i) => (depth === TOP && i === pile.length - 1 ? card : UNKNOWN));
}

function depth(fields: readonly Sighted[], seen: Seen, slot: SlotBody, audience: number): number {
  if (audience === EVERYTHING) return ALL;
  const sight = fields.find((field) => field.name === slot.zone)?.sight ?? "public";
  if (sight.startsWith(MEMBERS)) {
    const members = seen.zones[sight.slice(MEMBERS.length)] as (number | boolean)[];
    return audience >= 0 && Number(members[audience]) === (slot.index ?? 1) ? ALL : NOTHING;
  }
  const [own, others] = DEPTHS[sight]!;
  return slot.index !== undefined && slot.index === audience ? own : others;
}

function at<Value>(seen: Seen, slot: SlotBody): Value {
  const zone = seen.zones[slot.zone];
  return (slot.index === undefined ? zone : (zone as unknown[])[slot.index]) as Value;
}

function put(seen: Seen, slot: SlotBody, value: unknown): void {
  if (slot.index === undefined) seen.zones[slot.zone] = value;
  else seen.zones[slot.zone] = (seen.zones[slot.zone] as unknown[]).with(slot.index, value);
}
