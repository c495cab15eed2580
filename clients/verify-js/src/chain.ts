// That each row follows from the one before it, and opens what its record shows.
import { check } from "./finding.ts";
import { blake, equal, hex, packed, SIZE, type Bytes } from "./hashes.ts";
import { fields, type FileRecord, type Row } from "./reading.ts";

export const OPENED = 1, STARTED = 4, ACTED = 5, UNDONE = 6, ENDED = 7, CHANGED = 8, SEEDS_REVEALED = 10, NOTES = 128;
/** What the first row says of its record. */
export type Opening = { whole: boolean; seats: number };

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TABLE = new RegExp(`^[0-7][${ALPHABET}]{25}$`);
const MOST_SEATS = 0xffff;                       // their leaves, and that of spectators, are counted in 16 bits
const LATEST = 253_402_300_799_999_999n;         // the end of the year 9999

/** Throws Wrong. */
export function checkChain(record: FileRecord): Opening {
  const { rows } = record;
  const opening = openingOf(rows[0]);
  checkViewer(record, opening);
  let [prev, at, layout] = [genesis(record.table), 0n, new Uint8Array(SIZE) as Bytes];
  for (const [nth, row] of rows.entries()) {
    layout = layoutOf(row, nth) ?? layout;
    check(row.seq === nth, nth, "seq");
    check(at <= row.at && row.at <= LATEST, nth, "time");
    check(equal(row.layout, layout), nth, "layout");
    checkLeaves(record, opening, row, nth);
    check(equal(linked(row, nth, prev), row.link), nth, "link");
    checkWords(row, nth);
    [prev, at] = [row.link, row.at];
  }
  checkDocuments(record);
  return opening;
}

/** The seed of a table, of a version and a leaf: what nobody can guess who has not got it. */
export function saltOf(seed: Bytes, version: number, leaf: number): Bytes {
  return blake("salt", seed, packed(version, 4), packed(leaf, 2));
}

function openingOf(first: Row | undefined): Opening {
  check(first?.type === OPENED, 0, "opening");
  const seats = fields(first, 0)[2];
  check(typeof seats === "number" && Number.isInteger(seats) && seats > 0 && seats < MOST_SEATS, 0, "opening");
  return { whole: first.opened[0]?.leaf === 0, seats };
}

function checkViewer({ viewer }: FileRecord, { whole, seats }: Opening): void {
  check(viewer === null || (!whole && viewer >= 0 && viewer < seats), null, "viewer");
}

function genesis(table: string): Bytes {
  check(TABLE.test(table), null, "table");
  const bits = [...table].reduce((sum, letter) => (sum << 5n) | BigInt(ALPHABET.indexOf(letter)), 0n);
  return blake("ludarium stream", packed(bits >> 64n, 8), packed(BigInt.asUintN(64, bits), 8));
}

/** The layout that the row names; null if rows of its type name none. */
function layoutOf(row: Row, nth: number): Bytes | null {
  if (row.type !== STARTED && row.type !== CHANGED) return null;
  const layout = fields(row, nth)[2];
  check(layout instanceof Uint8Array, nth, "layout");
  return layout;
}

function checkLeaves({ viewer }: FileRecord, { whole, seats }: Opening, row: Row, nth: number): void {
  if (row.leaves) {
    check(row.leaves.length === seats + 1, nth, "leaves");
    check(equal(blake("root", packed(seats + 1, 2), ...row.leaves), row.root), nth, "root");
  }
  const hashes = [row.leaf0, ...(row.leaves ?? [])];
  const seen = row.leaves === null || row.mended !== null ? [] : [viewer === null ? 1 : 2 + Number(viewer)];
  const wanted = whole ? [...hashes.keys()] : seen;
  check(row.opened.length === wanted.length && row.opened.every(({ leaf }, i) => leaf === wanted[i]), nth, "opened");
  for (const { leaf, data, salt } of row.opened) check(equal(blake("leaf", salt, data), hashes[Number(leaf)]!), nth, "leaf");
}

/** What of the words follows from the numbers alone; the others need the title. */
function checkWords({ event, at, link }: Row, nth: number): void {
  const { seq, head, data } = event;
  const says = typeof data === "object" && data !== null && !Array.isArray(data) ? data["at"] : null;
  const time = new Date(Number(at / 1000n)).toISOString();
  check(seq === nth && head === hex(link.subarray(0, 8)) && says === time, nth, "words");
}

function linked(row: Row, nth: number, prev: Bytes): Bytes {
  const numbers = [packed(nth, 4), packed(row.type, 2), packed(row.schema, 2), packed(row.at, 8)];
  return blake("link", prev, ...numbers, row.layout, row.leaf0, row.root);
}

/** They are those that the rows name, neither fewer nor more. */
function checkDocuments({ rows, layouts, zones }: FileRecord): void {
  const named = new Set<string>(), begun = new Set<string>();
  for (const [nth, row] of rows.entries()) {
    const layout = layoutOf(row, nth);
    if (layout) named.add(hex(layout));
    const set = row.type === STARTED ? fields(row, nth)[3] : null;
    if (set instanceof Uint8Array) begun.add(hex(set));
  }
  check(alike(named, layouts) && alike(begun, zones), null, "documents");
}

function alike(named: Set<string>, found: Map<string, Bytes>): boolean {
  return named.size === found.size && [...named].every((hash) => found.has(hash));
}
