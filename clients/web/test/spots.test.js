// Where zones are drawn.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spotsOf } from "../node_modules/.unit/table/spots.js";

const zone = (name, kind, sight = "public", of = null) => ({ name, kind, sight, of });
const zones = [
  zone("hand", "piles", "owner"),
  zone("deck", "pile", "hidden"),
  zone("rows", "piles"),
  zone("gold", "numbers"),
  zone("day", "number"),
  zone("winner", "number", "public", "seat"),
  zone("open", "flag"),
];

test("a ruleset without hints has all its zones drawn, in their order", () => {
  const spots = spotsOf({ spots: [], zones });
  assert.deepEqual(
    spots.map(({ zone, shape, at }) => [zone, shape, at]),
    [
      ["hand", "row", "seat"],
      ["deck", "row", "centre"],
      ["rows", "row", "centre"],
      ["gold", "mark", "centre"],
      ["day", "amount", "centre"],
      ["winner", "mark", "centre"],
      ["open", "mark", "centre"],
    ],
  );
});

test("hints are taken as they are", () => {
  const spots = [{ zone: "deck", shape: "stack", at: "centre" }];
  assert.equal(spotsOf({ spots, zones }), spots);
});
