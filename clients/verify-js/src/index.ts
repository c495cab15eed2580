// Checks the record of a game (ludarium-record/2) from its bytes alone: docs/record.md says how one is made.
import { checkChain } from "./chain.ts";
import { Wrong, type Finding } from "./finding.ts";
import { play, type Listener } from "./play.ts";
import { read } from "./reading.ts";

export type { Json } from "./json.ts";
export type { Finding, What } from "./finding.ts";
export type { Zones } from "./game.ts";
export type { Listener } from "./play.ts";

/** How many rows were linked, how many roots made again from their leaves, how many shuffles and dice from the seed, and the
 * first thing that does not hold. Of a record that does not, nothing is counted. whole: of a game whose seeds are revealed. */
export type Report = { rows: number; roots: number; shuffles: number; dice: number; finding: Finding | null; whole: boolean };

const NOTHING = { rows: 0, roots: 0, shuffles: 0, dice: 0, finding: null, whole: false };

/** Any bytes; it throws nothing. heard: is told the zones after each row of a whole record. */
export function verify(file: Uint8Array, heard: Listener = () => {}): Report {
  try {
    const record = read(file);
    const { whole } = checkChain(record);
    const draws = whole ? play(record, heard) : { shuffles: 0, dice: 0 };
    const roots = record.rows.filter(({ leaves }) => leaves).length;
    return { rows: record.rows.length, roots, ...draws, finding: null, whole };
  } catch (error) {
    if (error instanceof Wrong) return { ...NOTHING, finding: error.finding };
    throw error;
  }
}
