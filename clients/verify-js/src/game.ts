// The zones of a game, folded from its facts, and every draw made again from the seed.
import { mac, type Bytes } from "./hashes.ts";
import { parsed, whole, type Json, type JsonObject, type Whole } from "./json.ts";
import type { Packed } from "./msgpack.ts";

export type Zones = Readonly<Record<string, Json>>;
export type Chance = Bytes;
/** A zone or one entry of it: what holds it, under which key, and what draws there are called by. */
type Slot = { holder: Record<string | number, Json>; key: string | number; name: string };
type Position = { zones: JsonObject; drawn: Map<string, number> };

const MOVED = 0, COUNTED = 2, BECAME = 3, ROLLED = 4, SHUFFLED = 5;
const NUMBERS = 0x10000;                         // how many different ones are drawn
const ENTRIES = 64;                              // a slot's number: its zone's times this, + 1 + index for an entry

/** A fact names what is not there, or is none. */
export class Misfit extends Error {}
/** The seed does not give what the fact says. */
export class Unlucky extends Error {}

export class Game {
  shuffles = 0;
  dice = 0;
  private readonly names: string[];
  private now: Position;

  /** Of the layout and the zones before the set-up, two documents. Throws Misfit. */
  constructor(layout: Bytes, zones: Bytes, private readonly chance: Chance) {
    this.names = list(document(layout)["fields"]).map((field) => text(record(field)["name"]));
    this.now = { zones: document(zones), drawn: new Map() };
  }

  get zones(): Zones {
    return this.now.zones;
  }

  /** For `back`. */
  kept(): Position {
    return structuredClone(this.now);
  }

  back(position: Position): void {
    this.now = structuredClone(position);
  }

  /** Throws Misfit and Unlucky. */
  apply(fact: Packed): void {
    const [tag, ...rest] = items(fact);
    if (tag === MOVED) return this.move(rest);
    if (tag === COUNTED || tag === BECAME || tag === ROLLED || tag === SHUFFLED) this.change(tag, rest);
  }

  private move([cards, from, to]: Packed[]): void {
    const [source, target] = [this.slot(from), this.slot(to)];
    const moved = items(cards).map(integer);
    const left = [...pile(source)];
    for (const card of moved) {
      const at = left.indexOf(card);
      if (at < 0) throw new Misfit();
      left.splice(at, 1);
    }
    source.holder[source.key] = left;
    target.holder[target.key] = [...pile(target), ...moved];
  }

  private change(tag: number, [where, value, among]: Packed[]): void {
    const slot = this.slot(where);
    const before = slot.holder[slot.key]!;
    if (tag === ROLLED) this.roll(slot, value, items(among));
    if (tag === SHUFFLED) this.shuffle(slot, items(value).map(integer));
    slot.holder[slot.key] = tag === COUNTED ? sum(integer(before), integer(value)) : content(value);
  }

  /** One die, or a row of dice that were thrown together. */
  private roll({ name }: Slot, value: Packed | undefined, among: Packed[]): void {
    const numbers = numbersOf(this.chance, name, this.count(name));
    const dice = Array.isArray(value) ? value.map(integer) : [integer(value)];
    for (const die of dice) if (among[below(among.length, numbers)] !== die) throw new Unlucky();
    this.dice++;
  }

  private shuffle(slot: Slot, order: Whole[]): void {
    const numbers = numbersOf(this.chance, slot.name, this.count(slot.name));
    const cards = [...pile(slot)];
    for (let i = cards.length - 1; i > 0; i--) {
      const j = below(i + 1, numbers);
      [cards[i], cards[j]] = [cards[j]!, cards[i]!];
    }
    if (cards.length !== order.length || !cards.every((card, i) => card === order[i])) throw new Unlucky();
    this.shuffles++;
  }

  /** The number of this draw of the slot. */
  private count(name: string): number {
    const nth = this.now.drawn.get(name) ?? 0;
    this.now.drawn.set(name, nth + 1);
    return nth;
  }

  private slot(number: Packed | undefined): Slot {
    const found = Number(integer(number));
    const [name, entry] = [this.names[Math.floor(found / ENTRIES)], found % ENTRIES - 1];
    if (found < 0 || name === undefined || !Object.hasOwn(this.now.zones, name)) throw new Misfit();
    if (entry < 0) return { holder: this.now.zones, key: name, name };
    const entries = list(this.now.zones[name]);
    if (entry >= entries.length) throw new Misfit();
    return { holder: entries as unknown as Record<number, Json>, key: entry, name: `${name}.${entry}` };
  }
}

// --- chance --------------------------------------------------------------------------------------------------------------
export function chanceOf(seed: Bytes, nonces: Packed | undefined): Chance {
  const filled = items(nonces).map((nonce) => {
    const whole = new Uint8Array(Math.max(32, bytes(nonce).length));
    whole.set(bytes(nonce));
    return whole;
  });
  return mac(seed, "chance", ...filled);
}

function* numbersOf(chance: Chance, name: string, nth: number): Generator<number, never> {
  for (let k = 0; ; k++) {
    const block = mac(chance, `${name}/${nth}/${k}`);
    for (let at = 0; at < block.length; at += 2) yield (block[at]! << 8) | block[at + 1]!;
  }
}

/** Without bias: what lies above the greatest multiple of the bound is passed over. */
function below(bound: number, numbers: Generator<number, never>): number {
  if (bound < 1 || bound > NUMBERS) throw new Misfit();
  const end = NUMBERS - (NUMBERS % bound);
  for (;;) {
    const { value } = numbers.next();
    if (value < end) return value % bound;
  }
}

// --- values, or Misfit -----------------------------------------------------------------------------------------------------
function sum(a: Whole, b: Whole): Whole {
  return whole(BigInt(a) + BigInt(b));
}

function document(data: Bytes): JsonObject {
  try {
    return record(parsed(data));
  } catch (error) {
    throw new Misfit("no document", { cause: error });
  }
}

function record(value: Json | undefined): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Misfit();
  return value;
}

function list(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Misfit();
  return value;
}

function pile({ holder, key }: Slot): Json[] {
  return list(holder[key]);
}

function items(value: Packed | undefined): Packed[] {
  if (!Array.isArray(value)) throw new Misfit();
  return value;
}

function text(value: Json | undefined): string {
  if (typeof value !== "string") throw new Misfit();
  return value;
}

function bytes(value: Packed | undefined): Bytes {
  if (!(value instanceof Uint8Array)) throw new Misfit();
  return value;
}

function integer(value: unknown): Whole {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw new Misfit();
  return value as Whole;
}

/** What a number, a flag or a row of them becomes. */
function content(value: Packed | undefined): Json {
  if (typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map(integer) : integer(value);
}
