// How far this device has seen each table.
import { kept } from "../embedded";

const KEPT = "ludarium.visits";
const MOST = 50;

/** The number of the last event seen; null if the table was never open here. */
export function lastVisit(table: string): number | null {
  return visits().find(([id]) => id === table)?.[1] ?? null;
}

export function visited(table: string, seq: number): void {
  const others = visits().filter(([id]) => id !== table);
  kept.setItem(KEPT, JSON.stringify([[table, seq], ...others].slice(0, MOST)));
}

function visits(): [string, number][] {
  try {
    return JSON.parse(kept.getItem(KEPT) ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}
