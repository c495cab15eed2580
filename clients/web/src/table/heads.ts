// Stores the newest event seen of each table on this device, to detect later that events are missing or changed.
import { kept } from "../embedded";

const KEPT = "ludarium.heads";
const KEPT_KEYS = "ludarium.keys";
const MOST = 200;

/** An event: its number, the first digits of its hash, and its time (RFC 3339). */
export type Head = { readonly seq: number; readonly head: string; readonly at: string };
type Line = readonly [table: string, seq: number, head: string, at: string];

/** Null if the table was never seen here, or was forgotten since. */
export function headOf(table: string): Head | null {
  const [, seq, head, at] = read<Line>(KEPT).find(([id]) => id === table) ?? [];
  return seq === undefined ? null : { seq, head: head!, at: at! };
}

/** Replace the stored event; tables seen longest ago are forgotten. */
export function keepHead(table: string, { seq, head, at }: Head): void {
  const others = read<Line>(KEPT).filter(([id]) => id !== table);
  kept.setItem(KEPT, JSON.stringify([[table, seq, head, at], ...others].slice(0, MOST)));
}

/** The operator's public keys (hexadecimal), as the server sent them while nothing was missing; null if not stored yet. */
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
