// What a list shows of offers with the same text.
import { assert, test } from "vitest";
import type { Offer } from "../api/types";
import { distinct } from "./distinct";
import { isolated } from "../i18n/messages.ts";

const ZONES = { hand: [[1, 2], [9]], tomb: [[3], []], pyramid: [[4], [5]] };
const KINDS: Record<number, string> = { 1: "urn", 2: "urn", 3: "urn", 4: "urn", 5: "urn" };

function offer(id: string, piece: Offer["touches"][number], subset: Offer["subset"] = null): Offer {
  return { id, verb: "act", args: [], label: { id: "verb.act", params: [] }, touches: [piece], subset };
}

function shown(...offers: Offer[]) {
  return distinct(
    offers,
    ZONES,
    () => "Use Urn",
    (card) => KINDS[card] ?? "",
  ).map(({ offer, place }) => [offer.id, place && `${place.zone} ${place.index}`]);
}

test("of equal cards in one place one offer stands for all", () => {
  const [first, second] = [1, 2].map((card) => offer(`act:${card}`, { kind: "card", value: card }));
  assert.deepEqual(shown(first!, second!), [["act:1", null]]);
});

test("equal cards in two places are told apart by these", () => {
  const [held, entombed] = [2, 3].map((card) => offer(`act:${card}`, { kind: "card", value: card }));
  assert.deepEqual(shown(held!, entombed!), [
    ["act:2", "hand 0"],
    ["act:3", "tomb 0"],
  ]);
  const slots = [0, 1].map((index) => offer(`buy:${index}`, { kind: "slot", value: index, zone: "pyramid" }));
  assert.deepEqual(shown(...slots), [
    ["buy:0", "pyramid 0"],
    ["buy:1", "pyramid 1"],
  ]);
});

test("a name that is written from right to left is set apart, and no other one changes", () => {
  assert.deepEqual(["Ada (1)", "Ñandú", "李"].map(isolated), ["Ada (1)", "Ñandú", "李"]);
  for (const name of ["دنیا", "דנה", "Ada\u202e"]) assert.equal(isolated(name), `\u2068${name}\u2069`);
});
