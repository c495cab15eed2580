// Which round a player may sit out next.
import type { TournamentBody } from "../api/types";

type Known = Pick<TournamentBody, "rounds" | "stage" | "plan">;

/** The first round of the stage that is not published; null where none is left or the format has no place for it. */
export function nextRound({ rounds, stage, plan }: Known): number | null {
  const { format, rounds: most } = plan.stages[stage - 1]!;
  if ((format !== "swiss" && format !== "round-robin") || !most) return null;
  const published = rounds.filter((each) => each.stage === stage && each.status !== "drafted").length;
  return published < most ? published + 1 : null;
}
