// What is to hold at a table, of all that could: who comes in, taking back, and the clock.
import type { Policies } from "../api/types";

export const CLOCKS = {
  none: null,
  "5+3": { type: "live", bank: 300, increment: 3 },
  "15+10": { type: "live", bank: 900, increment: 10 },
  days: { type: "turn-based", days: 3 },
} as const satisfies Record<string, Policies["clock"]>;
export type ClockName = keyof typeof CLOCKS;

export const WHO = ["anybody", "link"] as const;
export const UNDO = ["free", "consent", "none"] as const;
export type Wishes = { who: (typeof WHO)[number]; undo: (typeof UNDO)[number]; clock: ClockName };
export const USUAL: Wishes = { who: "anybody", undo: "free", clock: "none" };

export function policiesOf({ who, undo, clock }: Wishes): Policies {
  return { undo, clock: CLOCKS[clock], ...(who === "link" && { join: "link", spectators: { who: "nobody" } }) };
}
