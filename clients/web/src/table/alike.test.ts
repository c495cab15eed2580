import { assert, test } from "vitest";
import { alike, grouped } from "./alike";

const parity = (card: number) => (card > 9 ? null : card % 2 ? "odd" : "even");

test("cards that are alike lie together, where the first of them came", () => {
  assert.deepEqual(alike([3, 4, 1, 8], parity), [
    [3, 1],
    [4, 8],
  ]);
});

test("what is like nothing lies alone", () => {
  assert.deepEqual(alike([3, 11, 1, 11], parity), [[3, 1], [11], [11]]);
});

test("cards lie by a printed fact, ordered by another; without it at the end", () => {
  const facts: Record<number, Record<string, unknown>> = {
    1: { colour: "red", level: 2 },
    2: {},
    3: { colour: "blue", level: 1 },
    4: { colour: "red", level: 1 },
  };
  assert.deepEqual(
    grouped([2, 1, 3, 4], (card) => facts[card]!, "colour", ["level"]),
    [
      ["red", [4, 1]],
      ["blue", [3]],
      ["", [2]],
    ],
  );
});
