// Judges missing events. Loaded only if some are missing.
import { isSigned, type Cut } from "../../../verify-js/src/statement.ts";
import type { Head } from "./heads";

/** lost: how many of the last seen events are lost by the operator's signed statement; null: there is no explanation. */
export type Missing = { readonly lost: number | null };

/** length: of the current log. keys: trusted public keys (hexadecimal). */
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

/**
 * Return how many events up to the seen one the cut explains as lost; 0 if it concerns others or was found before the event.
 */
function lostBy(cut: Cut, table: string, { seq, at }: Head, length: number): number {
  if (at > cut.found_at || (cut.table !== null && cut.table !== table)) return 0;
  if (cut.table !== null) return seq - (cut.kept ?? -1);
  const within = cut.since !== null && cut.until !== null && cut.since <= at && at <= cut.until;
  return within ? Math.max(seq + 1 - length, 1) : 0;
}
