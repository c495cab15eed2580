// The clocks that forms offer.
import type { Policies } from "../api/types";

export const CLOCKS = {
  none: null,
  "5+3": { type: "live", bank: 300, increment: 3 },
  "15+10": { type: "live", bank: 900, increment: 10 },
  days: { type: "turn-based", days: 3 },
} as const satisfies Record<string, Policies["clock"]>;
export type ClockName = keyof typeof CLOCKS;
