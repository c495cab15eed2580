// What is to hold at a table, of all that could: who comes in and who looks on, taking back, the clock and who runs out of time.
import type { Policies } from "../api/types";

export const CLOCKS = {
  none: null,
  "5+3": { type: "live", bank: 300, increment: 3 },
  "15+10": { type: "live", bank: 900, increment: 10 },
  days: { type: "turn-based", days: 3 },
} as const satisfies Record<string, Policies["clock"]>;
export type ClockName = keyof typeof CLOCKS;

/** How late those see a move who watch with a delay, in seconds. */
const DELAY = 120;
export const WHO = ["anybody", "link"] as const;
export const WATCH = ["everybody", "delayed", "nobody"] as const;
export const UNDO = ["free", "consent", "none"] as const;
export const ABSENCE = ["default", "bot", "forfeit", "claim"] as const;
export type Wishes = {
  who: (typeof WHO)[number];
  watch: (typeof WATCH)[number];
  undo: (typeof UNDO)[number];
  clock: ClockName;
  absence: (typeof ABSENCE)[number];
};
export const USUAL: Wishes = { who: "anybody", watch: "everybody", undo: "free", clock: "none", absence: "default" };

/** With the watchers that are usual for those who may come: a table that anybody may find is seen by anybody. */
export function comingIn(wishes: Wishes, who: Wishes["who"]): Wishes {
  return { ...wishes, who, watch: who === "link" ? "nobody" : "everybody" };
}

export function watchersFor(who: Wishes["who"]): readonly Wishes["watch"][] {
  return WATCH.filter((watch) => who === "link" || watch !== "nobody");
}

/** bot: which one plays for who runs out of time, if one is to. */
export function policiesOf({ who, watch, undo, clock, absence }: Wishes, bot: string): Policies {
  return {
    join: who,
    spectators: { who: watch, listed: who === "anybody", ...(watch === "delayed" && { seconds: DELAY }) },
    undo,
    clock: CLOCKS[clock],
    ...(clock !== "none" && { absence: { remedy: absence, ...(absence === "bot" && { bot }) } }),
  };
}
