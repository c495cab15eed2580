// The newest row that was seen of each table, kept on this device: by it one finds later that rows are gone, or others.
import { kept } from "../embedded";

const KEPT = "ludarium.heads";
const KEPT_KEYS = "ludarium.keys";
const MOST = 200;

/** A row: its number, the first digits of its hash, and when it was written (RFC 3339). */
export type Head = { readonly seq: number; readonly head: string; readonly at: string };
type Line = readonly [table: string, seq: number, head: string, at: string];

/** Null of a table that was never seen here, or so long ago that it was forgotten. */
export function headOf(table: string): Head | null {
  const [, seq, head, at] = read<Line>(KEPT).find(([id]) => id === table) ?? [];
  return seq === undefined ? null : { seq, head: head!, at: at! };
}

/** In the place of the one that was kept; the tables seen longest ago are forgotten. */
export function keepHead(table: string, { seq, head, at }: Head): void {
  const others = read<Line>(KEPT).filter(([id]) => id !== table);
  kept.setItem(KEPT, JSON.stringify([[table, seq, head, at], ...others].slice(0, MOST)));
}

/** The operator's public keys (hexadecimal), as the server showed them while nothing was missing; null: never yet. */
export function pinnedKeys(): readonly string[] | null {
  return kept.getItem(KEPT_KEYS) === null ? null : read<string>(KEPT_KEYS);
}

export function pinKeys(keys: readonly string[]): void {
  kept.setItem(KEPT_KEYS, JSON.stringify(keys));
}

function read<T>(name: string): readonly T[] {
  try {
    const found: unknown = JSON.parse(kept.getItem(name) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
