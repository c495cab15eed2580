// Which result of a board counts for each of its tables.
import { assert, test } from "vitest";
import type { BoardBody } from "../api/types";
import { countedAt } from "./counted";

const GAME = { seats: [1, 2], points: [], reason: "finished" as const };
const BOARD = {
  table: "b",
  status: "over",
  places: [1, 2],
  absent: [],
  earlier: [],
  games: [],
  ruling: null,
  replayed: null,
} as unknown as BoardBody;

test("a table that is played has no result yet, and neither has one whose result is not recorded", () => {
  assert.isNull(countedAt("b", { ...BOARD, status: "playing" }));
  assert.isNull(countedAt("other", BOARD));
});

test("the places and absent seats of the tournament count", () => {
  const found = countedAt("b", { ...BOARD, places: [2, 1], absent: [0] });
  assert.deepEqual(found, { places: [2, 1], absent: [0], why: null, reason: "" });
});

test("a ruling counts, with its reason", () => {
  const ruling = { by: "p", verdict: "places" as const, places: [2, 1], reason: "Played on wood" };
  assert.deepInclude(countedAt("b", { ...BOARD, places: [2, 1], ruling })!, { why: "ruled", reason: "Played on wood" });
  const upheld = { ...ruling, verdict: "upheld" as const };
  assert.deepInclude(countedAt("b", { ...BOARD, ruling: upheld })!, { why: null, places: [1, 2] });
  const none = { ...ruling, verdict: "void" as const };
  assert.deepInclude(countedAt("b", { ...BOARD, ruling: none })!, { why: "void", places: [] });
});

test("a game that is played again does not count", () => {
  const found = countedAt("a", { ...BOARD, earlier: ["a"], replayed: "A card was missing" });
  assert.deepEqual(found, { places: [], absent: [], why: "again", reason: "A card was missing" });
});

test("a game of a match has a result of its own, by seat of its table", () => {
  const games = [{ ...GAME, table: "a", places: [2, 1], absent: [0] }];
  assert.deepInclude(countedAt("a", { ...BOARD, games, status: "playing" })!, { places: [2, 1], absent: [0] });
});
