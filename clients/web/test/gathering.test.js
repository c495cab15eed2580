// Facts gathered for the log.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gathered, latest, summed } from "../node_modules/.unit/table/gathering.js";

const BY_SEAT = ["gold", "hand"];
const ownerOf = ({ zone, index }) => (BY_SEAT.includes(zone) ? index : null);
const slot = (zone, index = null) => ({ zone, index });
const counted = (zone, index, by) => ({ type: "counted", slot: slot(zone, index), by });
const rolled = (value) => ({ type: "rolled", slot: slot("dice", value), value, among: [] });
const moved = (card, src, dst) => ({ type: "moved", cards: [card], src, dst });
const said = { type: "told", message: { id: "told.x" }, to: null };
const turn = (seat) => ({ type: "turn_passed", seat });

test("what happens after the turn has passed is of the next seat", () => {
  const [first, second] = gathered(0, [said, turn(1), rolled(3), rolled(4)], ownerOf);
  assert.deepEqual([first.seat, first.turn, first.groups], [0, false, [[said]]]);
  assert.deepEqual([second.seat, second.turn, second.groups], [1, true, [[rolled(3), rolled(4)]]]);
});

test("facts that are alike are told together, where the first of them stood", () => {
  const [mine, theirs, again] = [counted("gold", 0, 2), counted("gold", 1, 1), counted("gold", 0, -1)];
  const [a, b] = [moved(7, slot("row", 0), slot("hand", 0)), moved(8, slot("row", 1), slot("hand", 0))];
  const other = moved(9, slot("row", 2), slot("hand", 1));
  assert.deepEqual(gathered(0, [mine, a, theirs, b, again, other], ownerOf)[0].groups, [[mine, again], [a, b], [theirs], [other]]);
});

test("a fact of a type that is not known yet is like nothing else", () => {
  const [unheard, again] = [{ type: "exploded", force: 9 }, { type: "exploded", force: 9 }];
  assert.deepEqual(gathered(0, [unheard, said, again], ownerOf)[0].groups, [[unheard], [said], [again]]);
});

test("sentences are told one by one", () => {
  assert.deepEqual(gathered(0, [said, said], ownerOf)[0].groups, [[said], [said]]);
});

test("amounts add up by slot, and what comes to nothing is left out", () => {
  const facts = [counted("gold", 0, 2), counted("gold", 0, 1), counted("units", 3, -4), counted("units", 5, 1), counted("units", 5, -1)];
  assert.deepEqual(summed(facts), [{ slot: slot("gold", 0), by: 3 }, { slot: slot("units", 3), by: -4 }]);
});

test("of what a slot became the last counts", () => {
  const became = (value) => ({ type: "became", slot: slot("attacker"), value });
  assert.deepEqual(latest([became(1), became(2)]), [became(2)]);
});
