// Unchanged parts of a view keep their identity.
import { assert, test } from "vitest";
import { withUnchanged } from "./unchanged";

test("what is equal is the same again, and nothing else is otherwise", () => {
  const before = { hands: [[1, 2], [3]], turn: 1, focus: null, points: [] as number[] };
  const now = {
    hands: [
      [1, 2],
      [3, 4],
    ],
    turn: 2,
    focus: { pieces: [] },
    points: [] as number[],
  };
  const found = withUnchanged(before, now);
  assert.deepEqual(found, now);
  assert.equal(found.hands[0], before.hands[0]);
  assert.notEqual(found.hands[1], before.hands[1]);
  assert.equal(found.points, before.points);
});

test("all that is equal is the one of before", () => {
  const before = { hands: [[1, 2], [3]], turn: null };
  assert.equal(withUnchanged(before, { hands: [[1, 2], [3]], turn: null }), before);
});

test("more, fewer and other kinds of parts are not equal", () => {
  for (const [before, now] of [
    [[1, 2], [1]],
    [[1], [1, 2]],
    [{ a: 1, b: undefined }, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [{ a: undefined }, { b: undefined }],
    [{ 0: 1 }, [1]],
    [[], {}],
    [null, {}],
    [{}, null],
  ])
    assert.deepEqual([withUnchanged(before, now), withUnchanged(before, now) === before], [now, false]);
});
