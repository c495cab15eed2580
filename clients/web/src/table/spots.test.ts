// Where zones are rendered.
import { assert, test } from "vitest";
import type { Spot, Zone } from "../api/types";
import { spotsOf } from "./spots";

const zone = (name: string, kind: Zone["kind"], sight: Zone["sight"] = "public", of: Zone["of"] = null): Zone => ({
  name,
  kind,
  sight,
  of,
});
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
  const spots = [{ zone: "deck", shape: "stack", at: "centre" } as Spot];
  assert.strictEqual(spotsOf({ spots, zones }), spots);
});
