// How offers determine the selectable pieces, the effect of a touch, and the action to send.
import { assert, test } from "vitest";
import type { Offer, Piece, Subset } from "../api/types";
import * as choosing from "./choosing";

const {
  begun,
  candidates,
  chosen,
  complete,
  facets,
  fitted,
  fresh,
  bySentence,
  isLong,
  lit,
  NOTHING,
  pressed,
  settledAction,
  toggled,
  touch,
} = choosing;

const card = (value: number): Piece => ({ kind: "card", value });
const offer = (verb: string, args: number[], touches: Piece[], subset: Subset | null = null): Offer => ({
  id: [verb, ...args].join(":"),
  verb,
  args,
  label: { id: `verb.${verb}`, params: [] },
  touches,
  subset,
});
const payment = (least: number, most = 99): Subset => ({
  kind: "card",
  pool: [1, 2, 3],
  worth: [2, 3, 4],
  least,
  most,
});

const beat = offer("beat", [0, 7], [{ kind: "slot", zone: "row", value: 0 }, card(7)]);
const beatOther = offer("beat", [1, 7], [{ kind: "slot", zone: "row", value: 1 }, card(7)]);
const buy = offer("buy", [4], [card(4)], payment(5));
const pass = offer("pass", [], []);

test("what any offer touches is lit, members of its pool included", () => {
  assert.deepEqual([...lit([beat, buy, pass], NOTHING)].sort(), [
    "card:1",
    "card:2",
    "card:3",
    "card:4",
    "card:7",
    "slot:row:0",
  ]);
});

test("a place that an offer names is lit, and touched like what it touches", () => {
  const place: Piece = { kind: "text", value: "box.3" };
  const act: Offer = {
    ...offer("act", [3], []),
    label: { id: "verb.act", params: [place, { kind: "number", value: 2 }] },
  };
  assert.deepEqual([...lit([act, pass], NOTHING)], ["text:box.3"]);
  const { touched } = touch([act, pass], NOTHING, "text:box.3");
  assert.deepEqual(touch([act, pass], touched, "text:box.3").send, { id: "act:3", subset: [] });
});

test("a handful of numbers is counted, a handful of other things is listed", () => {
  const label = (piece: Piece) => ({ id: "verb.pay", params: [piece] });
  const pay = (kind: Piece["kind"], least: number, most: number) =>
    Array.from({ length: most - least + 1 }, (_, nth) => nth + least).map((value) => ({
      ...offer("pay", [value], []),
      label: label({ kind, value }),
    }));
  assert.isFalse(isLong(pay("number", 1, 4)));
  assert.isTrue(isLong(pay("number", 1, 5)));
  assert.isFalse(isLong(pay("card", 1, 9)));
  assert.isTrue(isLong(pay("card", 1, 10)));
  const given = pay("number", 1, 6).map((each) => ({ ...each, args: [-each.args[0]!] }));
  assert.isFalse(isLong(given), "numbers that are not what is said are listed");
});

test("offers of one verb that say something else are told apart", () => {
  const none: Offer = { ...offer("pay", [0], []), label: { id: "verb.pay.none", params: [] } };
  const some = [1, 2, 3, 4, 5].map((n) => ({
    ...offer("pay", [n], []),
    label: { id: "verb.pay", params: [{ kind: "number" as const, value: n }] },
  }));
  const groups = [...bySentence([...some, none]).values()];
  assert.deepEqual(groups, [some, [none]]);
  assert.deepEqual(groups.map(isLong), [true, false]);
});

test("while a subset is chosen its pool alone is lit", () => {
  assert.deepEqual([...lit([beat, buy], begun(buy))], ["card:1", "card:2", "card:3"]);
});

test("two touches make a move where one piece says it all", () => {
  const once = touch([beat, pass], NOTHING, "card:7");
  assert.strictEqual(once.send, undefined);
  assert.deepEqual(touch([beat, pass], once.touched, "card:7").send, { id: "beat:0:7", subset: [] });
});

test("a second piece narrows what can be meant", () => {
  const once = touch([beat, beatOther], NOTHING, "card:7").touched;
  assert.strictEqual(candidates([beat, beatOther], once.pieces).length, 2);
  const twice = touch([beat, beatOther], once, "slot:row:1").touched;
  assert.deepEqual(candidates([beat, beatOther], twice.pieces), [beatOther]);
});

test("touching an ambiguous piece again lets go of it", () => {
  const once = touch([beat, beatOther], NOTHING, "card:7").touched;
  assert.deepEqual(touch([beat, beatOther], once, "card:7"), { touched: { ...NOTHING, pieces: [] } });
});

test("a piece that does not go with the others begins anew", () => {
  const once = touch([beat, buy], NOTHING, "card:7").touched;
  assert.strictEqual(touch([beat, buy], once, "card:4").touched.offer, "buy:4");
});

test("where there is but one thing to do its subset is asked for at once", () => {
  assert.strictEqual(fresh([buy]).offer, "buy:4");
  assert.deepEqual(fresh([buy, pass]), NOTHING);
  assert.deepEqual(fresh([pass]), NOTHING);
});

test("a subset adds up to its bounds by worth", () => {
  const subset = payment(5, 6);
  assert.strictEqual(chosen(subset, [1, 3]), 6);
  assert.deepEqual(
    [[1], [1, 2], [2, 3]].map((members) => complete(subset, members)),
    [false, true, false],
  );
});

test("chosen are the touched pieces and the members that lie on the table", () => {
  const spaces = offer("muster", [], [], { kind: "units", pool: [4, 6], worth: [], least: 1, most: 2 });
  assert.deepEqual([...pressed([beat], { ...NOTHING, pieces: ["card:7"] })], ["card:7"]);
  assert.deepEqual([...pressed([spaces], { ...begun(spaces), subset: [6] })], ["slot:units:6"]);
});

test("a member that would be too much is not taken, one that fills the bounds alone replaces the others", () => {
  const one = offer("show", [], [], { kind: "card", pool: [1, 2], worth: [], least: 1, most: 1 });
  assert.deepEqual(toggled(one, begun(one, ["card:1"]), 2).subset, [2]);
  const little = offer("buy", [], [], payment(5, 6));
  assert.deepEqual(toggled(little, { pieces: [], offer: "buy", subset: [1, 3] }, 2).subset, [1, 3]);
});

test("an offer that leaves nothing to choose is sent as it is", () => {
  const single = offer("slay", [5], [card(5)], { kind: "number", pool: [0], worth: [], least: 1, most: 1 });
  assert.deepEqual(settledAction(single), { id: "slay:5", subset: [0] });
  assert.deepEqual(settledAction(pass), { id: "pass", subset: [] });
  assert.strictEqual(settledAction(buy), null);
});

test("many offers are narrowed by the arguments in which they differ, the others kept as far as they can be", () => {
  const offers = [
    [0, 1, 5],
    [0, 2, 5],
    [1, 2, 5],
  ].map((args) => offer("place", args, []));
  assert.deepEqual(
    facets(offers).map(({ position, values }) => [position, values]),
    [
      [0, [0, 1]],
      [1, [1, 2]],
    ],
  );
  assert.strictEqual(fitted(offers, offers[1]!, 0, 1), offers[2]);
  assert.strictEqual(fitted(offers, offers[2]!, 1, 1), offers[0]);
});

const number = (value: number): Piece => ({ kind: "number", value });
const slot = (value: number): Piece => ({ kind: "slot", zone: "land", value });
const split = (a: number, b: number): Offer => ({
  ...offer("split", [a, b], []),
  label: { id: "verb.split", params: [number(a), slot(7), number(b), slot(9)] },
});
const splits = Array.from({ length: 11 }, (_, a) => split(a, 10 - a));

test("numbers that are given to slots are found by what the label says, and share a sum", () => {
  const rows = facets(splits);
  assert.deepEqual(
    rows.map(({ param, about }) => [param, about?.value]),
    [
      [0, 7],
      [2, 9],
    ],
  );
  assert.strictEqual(choosing.sharedSum(splits, rows), 10);
  assert.strictEqual(choosing.sharedSum([...splits, split(5, 6)], rows), null);
});

test("values are told by the words and pieces that stand for them, in whatever order the label has them", () => {
  const word = (value: number): Piece => ({ kind: "text", value: `colour.${value}` });
  const found = [14, 15].flatMap((place) =>
    [0, 1].map((colour) => ({
      ...offer("found", [place, colour], []),
      label: { id: "verb.found", params: [word(colour), slot(place)] },
    })),
  );
  assert.deepEqual(
    facets(found).map(({ position, param }) => [position, param]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  const beaten = [0, 1].flatMap((place) =>
    [30, 31].map((by) => ({
      ...offer("beat", [place, by], []),
      label: { id: "verb.beat", params: [card(place + 30), card(by)] },
    })),
  );
  assert.deepEqual(
    facets(beaten).map(({ position, param }) => [position, param]),
    [
      [0, 0],
      [1, 1],
    ],
  );
  const blurred = found.map((each) => ({ ...each, label: { id: "verb.found", params: [word(2), slot(7)] } }));
  assert.deepEqual(
    facets(blurred).map(({ param }) => param),
    [null, null],
  );
});

test("such slots are lit where the offers are too many for a list", () => {
  assert.deepEqual([...lit(splits, NOTHING)], ["slot:land:7", "slot:land:9"]);
  assert.deepEqual([...lit(splits.slice(0, 3), NOTHING)], []);
});
