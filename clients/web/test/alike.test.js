import assert from "node:assert/strict";
import { test } from "node:test";
import { alike } from "../node_modules/.unit/table/alike.js";

const parity = (card) => (card > 9 ? null : card % 2 ? "odd" : "even");

test("cards that are alike lie together, where the first of them came", () => {
  assert.deepEqual(alike([3, 4, 1, 8], parity), [[3, 1], [4, 8]]);
});

test("what is like nothing lies alone", () => {
  assert.deepEqual(alike([3, 11, 1, 11], parity), [[3, 1], [11], [11]]);
});
