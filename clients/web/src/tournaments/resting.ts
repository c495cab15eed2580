// Which round a player may sit out next.
import type { TournamentBody } from "../api/types";

type Known = Pick<TournamentBody, "rounds" | "stage" | "plan">;

/** The first unpublished round of the stage; null if none is left or the format does not allow it. */
export function nextRound({ rounds, stage, plan }: Known): number | null {
  const { format, rounds: most } = plan.stages[stage - 1]!;
  if ((format !== "swiss" && format !== "round-robin") || !most) return null;
  const published = rounds.filter((each) => each.stage === stage && each.status !== "drafted").length;
  return published < most ? published + 1 : null;
}
