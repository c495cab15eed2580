// Which lines of a story are shown.
import { assert, test } from "vitest";
import { around, further, lastBy } from "./excerpt";

const line = (nth: number) => ({ nth, said: { text: "" }, seat: null, turn: false });

test("about fifty lines round the moment, fewer where the story begins and ends", () => {
  assert.deepEqual(around(500, 1000), { from: 475, to: 526 });
  assert.deepEqual(around(3, 1000), { from: 0, to: 29 });
  assert.deepEqual(around(998, 1000), { from: 973, to: 1000 });
  assert.deepEqual(around(-1, 1000), { from: 0, to: 25 });
  assert.deepEqual(around(2, 3), { from: 0, to: 3 });
});

test("more of them on one side, as far as there are any", () => {
  assert.deepEqual(further({ from: 475, to: 526 }, "earlier", 1000), { from: 425, to: 526 });
  assert.deepEqual(further({ from: 475, to: 526 }, "later", 1000), { from: 475, to: 576 });
  assert.deepEqual(further({ from: 20, to: 71 }, "earlier", 100), { from: 0, to: 71 });
  assert.deepEqual(further({ from: 20, to: 71 }, "later", 100), { from: 20, to: 100 });
});

test("the last line that is told by then", () => {
  const lines = [line(2), line(2), line(5)];
  assert.deepEqual(
    [0, 2, 4, 5, 9].map((step) => lastBy(lines, step)),
    [-1, 1, 1, 2, 2],
  );
});
