// Who may change places in a draft.
import type { RoundBody, TournamentBody } from "../api/types";

type Draft = Pick<RoundBody, "tables" | "byes" | "groups">;

/** In these the results say who meets, and nothing is changed by hand. */
const KNOCK_OUT = new Set<string>(["single-elimination", "double-elimination", "pods"]);

export function isKnockOut(plan: TournamentBody["plan"], stage: number): boolean {
  return KNOCK_OUT.has(plan.stages[stage - 1]?.format ?? "");
}

/** Those who take part: who sits at a table, then who has the bye. */
export function taking({ tables, byes }: Draft): number[] {
  return [...tables.flatMap(({ seats }) => seats), ...byes];
}

/** Of the same group, and one of the two at a table: two who both have the bye would change nothing. 0: anybody. */
export function partners(draft: Draft, one: number): number[] {
  const group = draft.groups.find((entries) => entries.includes(one));
  const sitsOut = draft.byes.includes(one);
  return taking(draft).filter(
    (other) => other !== one && (!group || group.includes(other)) && !(sitsOut && draft.byes.includes(other)),
  );
}
