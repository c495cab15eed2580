import assert from "node:assert/strict";
import { test } from "node:test";
import { lastOf, lastSeq, standing } from "../node_modules/.unit/table/telling.js";

const acted = (seq, seat, id) => ({
  type: "acted",
  seq,
  data: {
    seat,
    story: [
      { turn: true, message: { id: "turn" } },
      { turn: false, message: { id } },
    ],
  },
});
const undone = (seq, to) => ({ type: "undone", seq, data: { seat: 0, to } });
const log = [acted(1, 0, "a"), acted(2, 1, "b"), acted(3, 0, "c"), undone(4, 2)];

test("what was taken back no longer stands, nor does that it was", () => {
  assert.deepEqual(
    standing(log).map(({ seq }) => seq),
    [1, 2],
  );
});

test("the last deed of a seat is what it may take back", () => {
  assert.equal(lastOf(log, 0).id, "a");
  assert.equal(lastOf(log, 1).id, "b");
  assert.equal(lastOf(log, 2), null);
  assert.equal(lastOf([undone(9, 3)], 0), null);
});

test("what others did since is what came behind one's own last deed", () => {
  assert.equal(lastSeq(log, 0), 1);
  assert.equal(lastSeq(log, 2), null);
});
