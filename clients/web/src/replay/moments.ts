// The moments of a replay to jump to.
import type { Decision, ReplayStep } from "../api/types";
import type { Film } from "./film";

export type Moment = {
  readonly nth: number;
  readonly kind: "lead" | "battle" | "think" | "end";
  readonly seat: number | null;
};
export const UNITS = ["event", "turn", "moment", "decision"] as const;
export type Unit = (typeof UNITS)[number];
export type Marks = Readonly<Record<Exclude<Unit, "event">, readonly number[]>> & {
  readonly moments: readonly Moment[];
};

export function marksOf(film: Film): Marks {
  const moments = momentsOf(film);
  const where = (wanted: (step: ReplayStep) => boolean) =>
    film.steps.flatMap((step, nth) => (wanted(step) ? [nth] : []));
  return {
    turn: where(({ story = [] }) => story.some(({ turn }) => turn)),
    moment: moments.map(({ nth }) => nth),
    // The question itself, with all its offers.
    decision: where(({ decision }) => !!decision).map((nth) => nth - 1),
    moments,
  };
}

/** Return the next stop in a direction; the first or last step if there is none. */
export function stop(film: Film, marks: Marks, unit: Unit, from: number, way: 1 | -1): number {
  const edge = way > 0 ? film.last : 0;
  if (unit === "event") return way > 0 ? Math.min(from + 1, edge) : Math.max(from - 1, edge);
  const stops = marks[unit];
  return (way > 0 ? stops.find((nth) => nth > from) : stops.findLast((nth) => nth < from)) ?? edge;
}

/** Return the next step with a text, for automatic play. */
export function telling(film: Film, from: number): number {
  const found = film.steps.findIndex(({ story = [] }, nth) => nth > from && story.length > 0);
  return found < 0 ? film.last : found;
}

/** Return the pending decision and the step of its answer. Decisions after a takeback are unknown. */
export function pending(film: Film, from: number): { nth: number; decision: Decision } | null {
  const { asked } = film.frame(from);
  for (let nth = from + 1; nth <= film.last && film.steps[nth]!.to === undefined; nth++) {
    const decision = film.steps[nth]!.decision;
    if (decision && asked.includes(decision.seat)) return { nth, decision };
  }
  return null;
}

/** Return how many milliseconds an event took: 0 for the first one, and for one that has not happened yet. */
export function waited(film: Film, nth: number): number {
  const [before, now] = [film.steps[nth - 1], film.steps[nth]];
  return before && now ? now.at - before.at : 0;
}

function momentsOf(film: Film): Moment[] {
  const found = [...leads(film), ...battles(film), ...longestThink(film), ...end(film)];
  return found.sort((a, b) => a.nth - b.nth);
}

function leads(film: Film): Moment[] {
  const found: Moment[] = [];
  let ahead: number | null = null;
  for (let nth = 0; nth <= film.last; nth++) {
    const now = leader(film.frame(nth).points);
    if (now !== null && now !== ahead && ahead !== null) found.push({ nth, kind: "lead", seat: now });
    ahead = now ?? ahead;
  }
  return found;
}

function leader(points: readonly number[]): number | null {
  const most = Math.max(...points);
  const first = points.indexOf(most);
  return first >= 0 && first === points.lastIndexOf(most) ? first : null;
}

function battles(film: Film): Moment[] {
  const sides = (nth: number) => (nth < 0 ? [] : (film.frame(nth).focus.sides ?? [])).map(({ seat }) => seat);
  return film.steps.flatMap((_, nth) => {
    const [now, before] = [sides(nth), sides(nth - 1)];
    return now.length && now.join() !== before.join() ? [{ nth, kind: "battle", seat: now[0]! } as const] : [];
  });
}

function longestThink(film: Film): Moment[] {
  const acts = film.steps.flatMap(({ seat }, nth) => (seat !== undefined && nth > 0 ? [nth] : []));
  const longest = acts.reduce((best, nth) => (waited(film, nth) > waited(film, best) ? nth : best), acts[0] ?? 0);
  return waited(film, longest) > 0 ? [{ nth: longest - 1, kind: "think", seat: film.steps[longest]!.seat! }] : [];
}

function end(film: Film): Moment[] {
  const nth = film.steps.findIndex((_, at) => film.frame(at).seen.outcome !== null);
  return nth < 0 ? [] : [{ nth, kind: "end", seat: null }];
}
