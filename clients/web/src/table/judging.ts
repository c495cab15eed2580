// What became of a row that was seen and is not there any more: loaded when there is one.
import { isSigned, type Cut } from "../../../verify-js/src/statement.ts";
import type { Head } from "./heads";

/** lost: so many of the last events that were seen, and the operator has signed that; null: nobody vouches. */
export type Missing = { readonly lost: number | null };

/** length: of the log as it is now. keys: public ones (hexadecimal) that one trusts. */
export function judged(
  table: string,
  seen: Head,
  length: number,
  cuts: readonly Cut[],
  keys: readonly string[],
): Missing {
  const lost = cuts.filter((cut) => isSigned(cut, [...keys])).map((cut) => lostBy(cut, table, seen, length));
  return { lost: Math.max(0, ...lost) || null };
}

/** How many events up to the one that was seen; 0: the cut does not explain it, nor anything that came after it was found. */
function lostBy(cut: Cut, table: string, { seq, at }: Head, length: number): number {
  if (at > cut.found_at || (cut.table !== null && cut.table !== table)) return 0;
  if (cut.table !== null) return seq - (cut.kept ?? -1);
  const within = cut.since !== null && cut.until !== null && cut.since <= at && at <= cut.until;
  return within ? Math.max(seq + 1 - length, 1) : 0;
}
