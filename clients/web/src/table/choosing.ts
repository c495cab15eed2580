// From the offers and the touches so far: the selectable pieces, the remaining choice, and the action to send. Knows offers,
// but no game.
import type { Action, Offer, Piece, Subset } from "../api/types";

export type Key = string;

/** The touches so far: pieces that narrow the offers, then one offer and the subset chosen for it. */
export type Touched = { pieces: readonly Key[]; offer: string | null; subset: readonly number[] };

export const NOTHING: Touched = { pieces: [], offer: null, subset: [] };

export const cardKey = (card: number): Key => `card:${card}`;
export const seatKey = (seat: number): Key => `seat:${seat}`;
export const placeKey = (text: string): Key => `text:${text}`;
export const slotKey = (zone: string, index: number): Key => `slot:${zone}:${index}`;

export function keyOf(piece: Piece): Key {
  return piece.kind === "slot" ? slotKey(piece.zone ?? "", Number(piece.value)) : `${piece.kind}:${piece.value}`;
}

/** Return the key of a member of a subset's pool; null if it is no piece on the table. */
export function poolKey(subset: Subset, member: number): Key | null {
  if (subset.kind === "card" || subset.kind === "seat") return `${subset.kind}:${member}`;
  return subset.kind === "number" || subset.kind.endsWith(".") ? null : slotKey(subset.kind, member);
}

/** Return the keys of touched and named pieces; a named one can be a space of a board whose spaces have only names. */
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

/** Return the pieces that can be touched now. */
export function lit(offers: readonly Offer[], touched: Touched): Set<Key> {
  const offer = offers.find((each) => each.id === touched.offer);
  if (offer?.subset)
    return new Set(offer.subset.pool.map((member) => poolKey(offer.subset!, member)).filter((key) => key !== null));
  return new Set([...offers.flatMap(keysOf), ...counted(offers).keys()]);
}

/** Return the pieces on the table that are chosen so far. */
export function pressed(offers: readonly Offer[], touched: Touched): Set<Key> {
  const subset = offers.find((each) => each.id === touched.offer)?.subset;
  const members = subset ? touched.subset.map((member) => poolKey(subset, member)).filter((key) => key !== null) : [];
  return new Set([...touched.pieces, ...members]);
}

/** Return the touches after this piece; `send` if they determine the action. */
export function touch(offers: readonly Offer[], touched: Touched, key: Key): { touched: Touched; send?: Action } {
  const offer = offers.find((each) => each.id === touched.offer);
  const member = offer?.subset?.pool.find((each) => poolKey(offer.subset!, each) === key);
  if (offer && member !== undefined) return { touched: toggled(offer, touched, member) };
  if (!touched.offer && touched.pieces.includes(key)) return again(offers, touched, key);
  const further = [...touched.pieces, key];
  const pieces = !touched.offer && candidates(offers, further).length ? further : [key];
  return { touched: settled(offers, pieces) };
}

// A second touch of the same piece confirms if only one action is possible; otherwise it deselects.
function again(offers: readonly Offer[], touched: Touched, key: Key): { touched: Touched; send?: Action } {
  const [only, ...others] = candidates(offers, touched.pieces);
  const send = only && !others.length ? settledAction(only) : null;
  if (send) return { touched: NOTHING, send };
  return { touched: { ...NOTHING, pieces: touched.pieces.filter((piece) => piece !== key) } };
}

// If only one offer is left and it needs a subset, choosing it begins.
function settled(offers: readonly Offer[], pieces: readonly Key[]): Touched {
  const [only, ...others] = candidates(offers, pieces);
  return only?.subset && !others.length && !settledAction(only)
    ? begun(only, pieces)
    : { pieces, offer: null, subset: [] };
}

/** Return the initial touches: if there is only one offer and it needs a subset, choosing it begins. */
export function fresh(offers: readonly Offer[]): Touched {
  return settled(offers, []);
}

/** Choose this offer: its subset begins with the pieces touched before. */
export function begun(offer: Offer, pieces: readonly Key[] = []): Touched {
  const subset = offer.subset!;
  const already = subset.pool.filter((member) => pieces.includes(poolKey(subset, member) ?? ""));
  return { pieces: [], offer: offer.id, subset: chosen(subset, already) <= subset.most ? already : [] };
}

/** Return the action of an offer without further choices; null if there are some. */
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

// --- many offers with the same text, narrowed argument by argument
/** An argument in which offers differ. param: the label's parameter for it. about: the slot that its numbers are for. */
export type Facet = { position: number; values: number[]; param: number | null; about: Piece | null };

/** As many as have keys. */
const LONG = 9;
/** Up to this many numbers are buttons; more are counted up and down. */
const FEW_NUMBERS = 4;

/** Whether offers with the same text are better narrowed by argument than listed. */
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

// Whether each value has a different word, or a different card at that place.
function oneToOne(pieces: readonly Piece[], args: readonly number[]): boolean {
  const meant = new Map(pieces.map(({ value }, at) => [args[at]!, value]));
  return new Set(meant.values()).size === meant.size && pieces.every(({ value }, at) => meant.get(args[at]!) === value);
}

// In "{0} in {1}": the slot that all offers name after the number.
function alwaysBehind(params: readonly (readonly Piece[])[], param: number): Piece | null {
  const [number, slot] = [params[0]![param]!, params[0]![param + 1]];
  if (number.kind !== "number" || slot?.kind !== "slot") return null;
  return params.every((each) => keyOf(each[param + 1]!) === keyOf(slot)) ? slot : null;
}

/** Return the slots that each take a number: touching one increases it. */
export function counted(offers: readonly Offer[]): Map<Key, Facet> {
  const found = [...bySentence(offers).values()].filter(isLong).flatMap(facets);
  return new Map(found.flatMap((each) => (each.about ? [[keyOf(each.about), each]] : [])));
}

/** Return the sum of numbers that all these offers share, if there is one. */
export function sharedSum(offers: readonly Offer[], rows: readonly Facet[]): number | null {
  const sum = (offer: Offer) => rows.reduce((all, { position }) => all + offer.args[position]!, 0);
  const [first, ...others] = offers.map(sum);
  return first !== undefined && rows.length > 1 && others.every((other) => other === first) ? first : null;
}

/** Choose a value of one argument; the others change only as far as needed to fit an offer. */
export function fitted(offers: readonly Offer[], current: Offer, position: number, value: number): Offer {
  const fitting = offers.filter((offer) => offer.args[position] === value);
  const likeness = (offer: Offer) => offer.args.filter((arg, i) => arg === current.args[i]).length;
  return fitting.reduce((best, offer) => (likeness(offer) > likeness(best) ? offer : best), fitting[0] ?? current);
}

/** Group offers with the same text about different pieces. */
export function bySentence(offers: readonly Offer[]): Map<string, Offer[]> {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers) {
    const sentence = `${offer.verb} ${offer.label.id}`;
    groups.set(sentence, [...(groups.get(sentence) ?? []), offer]);
  }
  return groups;
}
