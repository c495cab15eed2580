// The name of a table's clock, where the form for a new table offers it.
import type { Policies } from "../api/types";
import { CLOCKS, type ClockName } from "./clocks";

/** Stands for a value that the form does not offer and therefore keeps. */
export const KEPT = "kept";
export type Kept = typeof KEPT;

/** Names the clock as the form does, or KEPT for any other. */
export function clockNamed(clock: Policies["clock"]): ClockName | Kept {
  const known = Object.entries(CLOCKS).find(
    ([, each]) => (each?.type ?? null) === (clock?.type ?? null) && sameAs(each, clock),
  );
  return known ? (known[0] as ClockName) : KEPT;
}

function sameAs(one: object | null, clock: object | null | undefined): boolean {
  return Object.entries(one ?? {}).every(([name, value]) => (clock as Record<string, unknown>)[name] === value);
}
