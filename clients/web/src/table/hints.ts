// Which kinds of questions were explained on this device, by title, and whether hints are on: a setting of this device.
import { signal } from "@preact/signals";
import { kept } from "../embedded";

const KEPT = "ludarium.hints";
const OFF = "off";
const known = signal<Readonly<Record<string, readonly string[]>>>({});

export const hinting = signal(kept.getItem(KEPT) !== OFF);

export function setHinting(on: boolean): void {
  hinting.value = on;
  if (on) kept.removeItem(KEPT);
  else kept.setItem(KEPT, OFF);
}

export function isExplained(ruleset: string, kind: string): boolean {
  return of(ruleset).includes(kind);
}

export function explained(ruleset: string, kind: string): void {
  if (isExplained(ruleset, kind)) return;
  known.value = { ...known.value, [ruleset]: [...of(ruleset), kind] };
  kept.setItem(`${KEPT}.${ruleset}`, of(ruleset).join(" "));
}

/** Return the kind of a prompt, which is the same in all situations. */
export function kindOf(prompt: string): string {
  return prompt.split(".")[1] ?? "";
}

function of(ruleset: string): readonly string[] {
  return known.value[ruleset] ?? (kept.getItem(`${KEPT}.${ruleset}`) ?? "").split(" ").filter(Boolean);
}
