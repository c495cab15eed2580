// Checks the record of a game (ludarium-record/2) from its bytes alone: docs/record.md says how one is made.
import { checkChain } from "./chain.ts";
import { check, Wrong, type Finding } from "./finding.ts";
import { hex } from "./hashes.ts";
import { play, type Listener } from "./play.ts";
import { read, type FileRecord } from "./reading.ts";

export type { Json } from "./json.ts";
export type { Finding, What } from "./finding.ts";
export type { Zones } from "./game.ts";
export type { Listener } from "./play.ts";
export { isSigned, type Cut, type Hour, type Statement } from "./statement.ts";

/** How many rows were linked, how many roots made again from their leaves, how many shuffles and dice from the seed,
 * and the first thing that does not hold: then nothing is counted. whole: of a game whose seeds are revealed. */
export type Report = {
  rows: number; roots: number; shuffles: number; dice: number; finding: Finding | null; whole: boolean;
};
/** What is known beside the file. table: whose record it is to be; head: the first bytes, in hex, of a link that
 * somebody kept, which it is to have; heard: is told the zones after each row of a whole record. */
export type Known = { table?: string; head?: string; heard?: Listener };

const NOTHING = { rows: 0, roots: 0, shuffles: 0, dice: 0, finding: null, whole: false };

/** Any bytes; it throws nothing. */
export function verify(file: Uint8Array, known: Known = {}): Report {
  try {
    const record = read(file);
    const { whole } = checkChain(record);
    checkKnown(record, known);
    const draws = whole ? play(record, known.heard) : { shuffles: 0, dice: 0 };
    const roots = record.rows.filter(({ leaves }) => leaves).length;
    return { rows: record.rows.length, roots, ...draws, finding: null, whole };
  } catch (error) {
    if (error instanceof Wrong) return { ...NOTHING, finding: error.finding };
    throw error;
  }
}

/** Throws Wrong for a record that holds, and is another one. */
function checkKnown({ table, rows }: FileRecord, known: Known): void {
  const { head = "" } = known;
  check(known.table === undefined || table === known.table, null, "another");
  check(rows.some(({ link }) => hex(link).startsWith(head)), null, "head");
}
