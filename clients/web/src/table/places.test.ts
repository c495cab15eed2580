import { assert, test } from "vitest";
import { rowsOf } from "./places";

test("each place knows who is there, in its row", () => {
  const found = rowsOf([2, 1], [[0, 2], [2], []]);
  assert.deepEqual(found, [
    [
      { place: 0, seats: [0] },
      { place: 1, seats: [] },
    ],
    [{ place: 2, seats: [0, 1] }],
  ]);
});
