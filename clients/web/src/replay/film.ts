// A game after each of its events, folded from facts: sending a view for each would be thirty times as large.
import type { GameView, Replay, ReplayStep, Zone } from "../api/types";
import { EVERYTHING, evolveSeen, veiled, type Seen } from "../table/folding.ts";

/** What steps contain besides facts, only where it changes. */
type Aside = Required<Pick<ReplayStep, "asked" | "agenda" | "focus" | "veiled" | "points" | "left">>;
export type Frame = Aside & { readonly seen: Seen };

const SPECTATOR = -1;
const UNKNOWN = -1;
const NOTHING: Aside = { asked: [], agenda: [], focus: { pieces: [], sides: [] }, veiled: [], points: [], left: [] };

export class Film {
  /** The frames computed so far. Each shares unchanged parts with the previous one, so all can be kept. */
  private readonly frames: Frame[] = [];
  private readonly audience: number;

  constructor(
    readonly replay: Replay,
    private readonly fields: readonly Zone[],
  ) {
    this.audience = replay.everything ? EVERYTHING : (replay.viewer ?? SPECTATOR);
  }

  get steps(): readonly ReplayStep[] {
    return this.replay.steps;
  }

  get last(): number {
    return this.steps.length - 1;
  }

  /** Return the step of an event, or the nearest one. */
  nth(seq: number): number {
    return Math.min(Math.max(seq - this.steps[0]!.seq, 0), this.last);
  }

  seq(nth: number): number {
    return this.steps[nth]!.seq;
  }

  frame(nth: number): Frame {
    while (this.frames.length <= nth) this.frames.push(this.next(this.frames.length));
    return this.frames[nth]!;
  }

  view(nth: number): GameView {
    const { seen, asked, agenda, focus, veiled: zones } = this.frame(nth);
    const shown = zones.length ? veiled(this.fields, seen, zones) : seen;
    return {
      ...shown,
      asked,
      agenda,
      focus: focus.pieces.length || focus.sides?.length ? focus : null,
      scores: seen.outcome ? this.replay.scores : [],
      ...(seen.outcome && this.replay.sources ? { sources: this.replay.sources } : {}),
    };
  }

  private next(nth: number): Frame {
    const step = this.steps[nth]!;
    const before = this.frames[nth - 1];
    const seen = step.to === undefined ? (before?.seen ?? this.replay.start) : this.back(step.to, nth);
    return {
      ...(before ?? NOTHING),
      ...told(step),
      seen: evolveSeen(this.fields, seen, step.facts ?? [], this.audience),
    };
  }

  // A takeback restores the earlier state, but preferences stay.
  private back(to: number, nth: number): Seen {
    const behind = this.nth(to);
    const since = this.steps
      .slice(behind + 1, nth)
      .flatMap(({ facts = [] }) => facts.filter(({ type }) => type === "preferred"));
    return evolveSeen(this.fields, this.frames[behind]!.seen, since, this.audience);
  }
}

function told(step: ReplayStep): Partial<Aside> {
  return Object.fromEntries(
    Object.keys(NOTHING).flatMap((name) => (name in step ? [[name, step[name as keyof Aside]]] : [])),
  );
}

/** Return the parts of a folded view that differ from the server's. open: the fold knows hidden parts, which are ignored. */
export function differences(folded: GameView, server: GameView, open: boolean): string[] {
  const same = open ? fits : (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const zones = Object.keys(server.zones).filter((name) => !same(folded.zones[name], server.zones[name]));
  const besides = (["turn", "outcome", "asked"] as const).filter(
    (name) => JSON.stringify(folded[name]) !== JSON.stringify(server[name]),
  );
  return [...zones, ...besides];
}

function fits(folded: unknown, shown: unknown): boolean {
  if (shown === UNKNOWN) return true;
  if (!Array.isArray(folded) || !Array.isArray(shown)) return folded === shown;
  return folded.length === shown.length && folded.every((one, nth) => fits(one, shown[nth]));
}
