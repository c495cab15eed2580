// From the offers and what was touched so far: what lights up, what is left to choose from, what can be sent.
// Knows offers only; no game.
import type { Action, Offer, Piece, Subset } from "../api/types";

export type Key = string;

/** What is touched: pieces that narrow the offers, then one offer and the subset chosen for it. */
export type Touched = { pieces: readonly Key[]; offer: string | null; subset: readonly number[] };

export const NOTHING: Touched = { pieces: [], offer: null, subset: [] };

export const cardKey = (card: number): Key => `card:${card}`;
export const seatKey = (seat: number): Key => `seat:${seat}`;
export const placeKey = (text: string): Key => `text:${text}`;
export const slotKey = (zone: string, index: number): Key => `slot:${zone}:${index}`;

export function keyOf(piece: Piece): Key {
  return piece.kind === "slot" ? slotKey(piece.zone ?? "", Number(piece.value)) : `${piece.kind}:${piece.value}`;
}

/** The key of a member of a subset's pool; null where it is no piece that lies on the table. */
export function poolKey(subset: Subset, member: number): Key | null {
  if (subset.kind === "card" || subset.kind === "seat") return `${subset.kind}:${member}`;
  return subset.kind === "number" || subset.kind.endsWith(".") ? null : slotKey(subset.kind, member);
}

/** What it touches, and what it names: that may be a place of a board whose places have names alone. */
export function keysOf(offer: Offer): Key[] {
  const named = offer.label.params.filter(({ kind }) => kind === "text").map(keyOf);
  const pool = offer.subset ? offer.subset.pool.map((member) => poolKey(offer.subset!, member)) : [];
  return [...offer.touches.map(keyOf), ...named, ...pool.filter((key) => key !== null)];
}

export function candidates(offers: readonly Offer[], pieces: readonly Key[]): Offer[] {
  return offers.filter((offer) => {
    const keys = keysOf(offer);
    return pieces.every((piece) => keys.includes(piece));
  });
}

/** What may be touched now. */
export function lit(offers: readonly Offer[], touched: Touched): Set<Key> {
  const offer = offers.find((each) => each.id === touched.offer);
  if (offer?.subset)
    return new Set(offer.subset.pool.map((member) => poolKey(offer.subset!, member)).filter((key) => key !== null));
  return new Set([...offers.flatMap(keysOf), ...counted(offers).keys()]);
}

/** What is chosen so far, as far as it lies on the table. */
export function pressed(offers: readonly Offer[], touched: Touched): Set<Key> {
  const subset = offers.find((each) => each.id === touched.offer)?.subset;
  const members = subset ? touched.subset.map((member) => poolKey(subset, member)).filter((key) => key !== null) : [];
  return new Set([...touched.pieces, ...members]);
}

/** What is touched after this piece was; `send` when that says all. */
export function touch(offers: readonly Offer[], touched: Touched, key: Key): { touched: Touched; send?: Action } {
  const offer = offers.find((each) => each.id === touched.offer);
  const member = offer?.subset?.pool.find((each) => poolKey(offer.subset!, each) === key);
  if (offer && member !== undefined) return { touched: toggled(offer, touched, member) };
  if (!touched.offer && touched.pieces.includes(key)) return again(offers, touched, key);
  const further = [...touched.pieces, key];
  const pieces = !touched.offer && candidates(offers, further).length ? further : [key];
  return { touched: settled(offers, pieces) };
}

// The second touch of the same piece: yes, if only one thing can be meant; else no.
function again(offers: readonly Offer[], touched: Touched, key: Key): { touched: Touched; send?: Action } {
  const [only, ...others] = candidates(offers, touched.pieces);
  const send = only && !others.length ? settledAction(only) : null;
  if (send) return { touched: NOTHING, send };
  return { touched: { ...NOTHING, pieces: touched.pieces.filter((piece) => piece !== key) } };
}

// Where only one offer is left, and it wants a subset, choosing that has begun.
function settled(offers: readonly Offer[], pieces: readonly Key[]): Touched {
  const [only, ...others] = candidates(offers, pieces);
  return only?.subset && !others.length && !settledAction(only)
    ? begun(only, pieces)
    : { pieces, offer: null, subset: [] };
}

/** What is touched when nothing was yet: where there is but one thing to do, and it wants a subset, that has begun. */
export function fresh(offers: readonly Offer[]): Touched {
  return settled(offers, []);
}

/** The offer is meant: its subset is to be chosen, beginning with what was touched already. */
export function begun(offer: Offer, pieces: readonly Key[] = []): Touched {
  const subset = offer.subset!;
  const already = subset.pool.filter((member) => pieces.includes(poolKey(subset, member) ?? ""));
  return { pieces: [], offer: offer.id, subset: chosen(subset, already) <= subset.most ? already : [] };
}

/** The action of an offer that leaves nothing to choose; null if there is something. */
export function settledAction({ id, subset }: Offer): Action | null {
  if (!subset) return { id, subset: [] };
  return subset.pool.length === 1 && subset.least > 0 ? { id, subset: [...subset.pool] } : null;
}

export function toggled(offer: Offer, touched: Touched, member: number): Touched {
  const subset = offer.subset!;
  if (touched.subset.includes(member)) return { ...touched, subset: touched.subset.filter((each) => each !== member) };
  const more = [...touched.subset, member];
  return {
    ...touched,
    subset:
      chosen(subset, more) <= subset.most ? more : subset.most === worth(subset, member) ? [member] : touched.subset,
  };
}

export function worth(subset: Subset, member: number): number {
  return subset.worth.length ? (subset.worth[subset.pool.indexOf(member)] ?? 0) : 1;
}

export function chosen(subset: Subset, members: readonly number[]): number {
  return members.reduce((sum, member) => sum + worth(subset, member), 0);
}

export function complete(subset: Subset, members: readonly number[]): boolean {
  const sum = chosen(subset, members);
  return subset.least <= sum && sum <= subset.most;
}

// --- many offers of one sentence: narrowed argument by argument
/** An argument in which offers differ. param: which of the label's parameters says it. about: the slot that its numbers are for. */
export type Facet = { position: number; values: number[]; param: number | null; about: Piece | null };

/** As many as have keys. */
const LONG = 9;
/** Numbers, as buttons: more are counted up and down. */
const FEW_NUMBERS = 4;

/** Whether offers of one sentence are better narrowed than listed. */
export function isLong(offers: readonly Offer[]): boolean {
  return (
    offers.length > LONG || (offers.length > FEW_NUMBERS && facets(offers).every((each) => isNumber(offers, each)))
  );
}

function isNumber(offers: readonly Offer[], { param, position }: Facet): boolean {
  const isSaid = ({ kind, value }: Piece, arg: number) => kind === "number" && Number(value) === arg;
  return param !== null && offers.every(({ label, args }) => isSaid(label.params[param]!, args[position]!));
}

export function facets(offers: readonly Offer[]): Facet[] {
  const width = offers[0]?.args.length ?? 0;
  const all = Array.from({ length: width }, (_, position) => facet(offers, position));
  return all.filter(({ values }) => values.length > 1);
}

function facet(offers: readonly Offer[], position: number): Facet {
  const values = [...new Set(offers.map((offer) => offer.args[position]!))].sort((a, b) => a - b);
  const params = offers.map(({ label }) => label.params ?? []);
  const args = offers.map((offer) => offer.args[position]!);
  const said = [...(params[0] ?? []).keys()].map((nth) => params.map((each) => each[nth]!));
  const nth = said.findIndex((pieces) => same(pieces, args));
  const param = nth < 0 ? said.findIndex((pieces) => oneToOne(pieces, args)) : nth;
  if (param < 0) return { position, values, param: null, about: null };
  return { position, values, param, about: alwaysBehind(params, param) };
}

function same(pieces: readonly Piece[], args: readonly number[]): boolean {
  return pieces.every(({ kind, value }, at) => kind !== "text" && Number(value) === args[at]);
}

// Something else for each value: a word, the card that lies at that place.
function oneToOne(pieces: readonly Piece[], args: readonly number[]): boolean {
  const meant = new Map(pieces.map(({ value }, at) => [args[at]!, value]));
  return new Set(meant.values()).size === meant.size && pieces.every(({ value }, at) => meant.get(args[at]!) === value);
}

// "{0} in {1}": a number, and the slot that stands behind it in all of them.
function alwaysBehind(params: readonly (readonly Piece[])[], param: number): Piece | null {
  const [number, slot] = [params[0]![param]!, params[0]![param + 1]];
  if (number.kind !== "number" || slot?.kind !== "slot") return null;
  return params.every((each) => keyOf(each[param + 1]!) === keyOf(slot)) ? slot : null;
}

/** Slots of which each takes a number: touching one counts it up. */
export function counted(offers: readonly Offer[]): Map<Key, Facet> {
  const found = [...bySentence(offers).values()].filter(isLong).flatMap(facets);
  return new Map(found.flatMap((each) => (each.about ? [[keyOf(each.about), each]] : [])));
}

/** The sum of the numbers that all of these offers share, if they do. */
export function sharedSum(offers: readonly Offer[], rows: readonly Facet[]): number | null {
  const sum = (offer: Offer) => rows.reduce((all, { position }) => all + offer.args[position]!, 0);
  const [first, ...others] = offers.map(sum);
  return first !== undefined && rows.length > 1 && others.every((other) => other === first) ? first : null;
}

/** Picks a value of one argument; others change only as far as they must for an offer to fit. */
export function fitted(offers: readonly Offer[], current: Offer, position: number, value: number): Offer {
  const fitting = offers.filter((offer) => offer.args[position] === value);
  const likeness = (offer: Offer) => offer.args.filter((arg, i) => arg === current.args[i]).length;
  return fitting.reduce((best, offer) => (likeness(offer) > likeness(best) ? offer : best), fitting[0] ?? current);
}

/** Offers that say the same, each of other pieces. */
export function bySentence(offers: readonly Offer[]): Map<string, Offer[]> {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers) {
    const sentence = `${offer.verb} ${offer.label.id}`;
    groups.set(sentence, [...(groups.get(sentence) ?? []), offer]);
  }
  return groups;
}
