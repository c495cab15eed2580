// The policies that the form offers: who can join and watch, undo, clock and absence.
import type { Policies } from "../api/types";
import { clockNamed, KEPT, type Kept } from "./clock-names";
import { CLOCKS, type ClockName } from "./clocks";

type Spectators = NonNullable<Policies["spectators"]>;
type Absence = NonNullable<Policies["absence"]>;

/** The delay of delayed spectators, in seconds. */
const DELAY = 120;
export const WHO = ["anybody", "link"] as const;
export const WATCH = ["everybody", "delayed", "nobody"] as const;
export const UNDO = ["free", "consent", "none"] as const;
export const ABSENCE = ["default", "bot", "forfeit", "claim"] as const;
export type Wishes = {
  who: (typeof WHO)[number] | Kept;
  watch: (typeof WATCH)[number] | Kept;
  undo: (typeof UNDO)[number];
  clock: ClockName | Kept;
  absence: (typeof ABSENCE)[number];
};
export const USUAL: Wishes = { who: "anybody", watch: "everybody", undo: "free", clock: "none", absence: "default" };

/** Set who can join, with the usual spectators: a table that anyone can find can be watched by anyone. */
export function comingIn(wishes: Wishes, who: Wishes["who"]): Wishes {
  return { ...wishes, who, watch: who === "anybody" ? "everybody" : "nobody" };
}

/** Set who can join; spectators become the usual ones, unless the host has changed them too. */
export function joinedBy(wishes: Wishes, who: Wishes["who"]): Wishes {
  return wishes.watch === KEPT ? comingIn(wishes, who) : { ...wishes, who };
}

export function watchersFor(who: Wishes["who"]): readonly (typeof WATCH)[number][] {
  return WATCH.filter((watch) => who !== "anybody" || watch !== "nobody");
}

/** Whether the table is in public lists. */
export function isListed({ spectators: { who = "everybody", listed = true } = {} }: Policies): boolean {
  return listed && who !== "named" && who !== "nobody";
}

/** bot: the one that plays for players out of time, if the policy is to replace them. */
export function policiesOf(wishes: Wishes, bot: string): Policies {
  return {
    ...(wishes.who !== KEPT && { join: wishes.who }),
    ...(wishes.watch !== KEPT && { spectators: watchersOf(wishes.watch, wishes.who) }),
    undo: wishes.undo,
    ...(wishes.clock !== KEPT && { clock: CLOCKS[wishes.clock] }),
    ...(wishes.clock !== "none" && { absence: absenceOf(wishes.absence, bot) }),
  };
}

function watchersOf(watch: (typeof WATCH)[number], who: Wishes["who"]): Spectators {
  return { who: watch, listed: who === "anybody", ...(watch === "delayed" && { seconds: DELAY }) };
}

function absenceOf(absence: Wishes["absence"], bot: string): Absence {
  return { remedy: absence, ...(absence === "bot" && { bot }) };
}

/** Return the form's values for these policies. */
export function wishesOf({ join, spectators, undo, clock, absence }: Policies): Wishes {
  return {
    who: WHO.find((who) => who === (join ?? USUAL.who)) ?? KEPT,
    watch: WATCH.find((watch) => watchersAre(watch, spectators)) ?? KEPT,
    undo: undo ?? USUAL.undo,
    clock: clockNamed(clock),
    absence: absence?.remedy ?? USUAL.absence,
  };
}

function watchersAre(watch: (typeof WATCH)[number], { who = "everybody", events = 0, seconds = 0 }: Spectators = {}) {
  return who === watch && (watch !== "delayed" || (events === 0 && seconds === DELAY));
}

/** Return the policies with the changed values; all others stay, including those that the form does not offer. */
export function changedPolicies(before: Policies, wishes: Wishes, bot: string): Policies {
  const were = wishesOf(before);
  const other = (...names: (keyof Wishes)[]) => names.some((name) => were[name] !== wishes[name]);
  const { join, spectators, undo, clock, absence = { remedy: USUAL.absence } } = policiesOf(wishes, bot);
  return {
    ...before,
    ...(join && other("who") && { join }),
    ...(spectators && other("who", "watch") && { spectators }),
    ...(other("undo") && { undo: undo! }),
    ...(clock !== undefined && other("clock") && { clock }),
    ...(other("clock", "absence") && { absence: { ...before.absence, bot: null, ...absence } }),
  };
}
