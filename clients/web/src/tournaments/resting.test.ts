// Which round a player may sit out next.
import { assert, test } from "vitest";
import type { TournamentBody } from "../api/types";
import { nextRound } from "./resting";

const of = (stages: object[], stage: number, ...rounds: [number, number, string][]) =>
  nextRound({
    stage,
    plan: { stages },
    rounds: rounds.map(([at, round, status]) => ({ stage: at, round, status, seq: 0 })),
  } as unknown as TournamentBody);
const SWISS = { format: "swiss", rounds: 2 };

test("the first round that is not published can be sat out, also as a draft", () => {
  assert.equal(of([SWISS], 1), 1);
  assert.equal(of([SWISS], 1, [1, 1, "drafted"]), 1);
  assert.equal(of([SWISS], 1, [1, 1, "published"]), 2);
  assert.isNull(of([SWISS], 1, [1, 1, "closed"], [1, 2, "published"]));
});

test("no round of a knock-out can", () => {
  assert.isNull(of([SWISS, { format: "pods" }], 2, [1, 1, "closed"], [1, 2, "closed"]));
});
