// Which entries can swap places in a draft.
import type { RoundBody, TournamentBody } from "../api/types";

type Draft = Pick<RoundBody, "tables" | "byes" | "groups">;

/** In these formats results determine the pairings, and drafts cannot be edited by hand. */
const KNOCK_OUT = new Set<string>(["single-elimination", "double-elimination", "pods"]);

export function isKnockOut(plan: TournamentBody["plan"], stage: number): boolean {
  return KNOCK_OUT.has(plan.stages[stage - 1]?.format ?? "");
}

/** Return the entries of the round: those at tables, then those with a bye. */
export function taking({ tables, byes }: Draft): number[] {
  return [...tables.flatMap(({ seats }) => seats), ...byes];
}

/** Return the entries that `one` can swap with: of the same group, and not both with a bye. 0 stands for any entry. */
export function partners(draft: Draft, one: number): number[] {
  const group = draft.groups.find((entries) => entries.includes(one));
  const sitsOut = draft.byes.includes(one);
  return taking(draft).filter(
    (other) => other !== one && (!group || group.includes(other)) && !(sitsOut && draft.byes.includes(other)),
  );
}
