// Whether moves that cannot be undone need a confirmation: a setting of this device.
import { signal } from "@preact/signals";
import type { TableBody } from "../api/types";
import { kept } from "../embedded";

export const CARES = ["final", "always", "never"] as const;
export type Care = (typeof CARES)[number];
const KEPT = "ludarium.care";

export const care = signal<Care>(CARES.find((each) => each === kept.getItem(KEPT)) ?? "final");

export function setCare(chosen: Care): void {
  care.value = chosen;
  kept.setItem(KEPT, chosen);
}

/** Moves are final if the player cannot undo them without consent. */
export function asksTwice({ policies }: TableBody): boolean {
  return care.value === "always" || (care.value === "final" && policies.undo !== "free");
}
