// @vitest-environment happy-dom
// What a device stores of the tables that it has shown.
import { assert, beforeEach, test } from "vitest";
import { headOf, keepHead, pinKeys, pinnedKeys } from "./heads";

const row = (seq: number) => ({ seq, head: `${seq}`.padStart(16, "0"), at: "2026-01-01T00:00:00.000Z" });

beforeEach(() => localStorage.clear());

test("of each table its newest row is kept, in the place of the one before", () => {
  keepHead("a", row(1));
  keepHead("b", row(7));
  keepHead("a", row(2));
  assert.deepEqual([headOf("a"), headOf("b"), headOf("c")], [row(2), row(7), null]);
});

test("the tables seen longest ago are forgotten", () => {
  keepHead("first", row(1));
  keepHead("second", row(1));
  for (let nth = 0; nth < 198; nth++) keepHead(`${nth}`, row(nth));
  assert.deepEqual([headOf("first"), headOf("second")], [row(1), row(1)]);
  keepHead("first", row(2));
  keepHead("one more", row(1));
  assert.deepEqual([headOf("first"), headOf("second")], [row(2), null]);
});

test("keys are pinned as they were last, none too; what others wrote there is nothing", () => {
  assert.isNull(pinnedKeys());
  pinKeys([]);
  assert.deepEqual(pinnedKeys(), []);
  pinKeys(["ab"]);
  assert.deepEqual(pinnedKeys(), ["ab"]);
  for (const name of ["ludarium.heads", "ludarium.keys"]) localStorage.setItem(name, "{");
  assert.deepEqual([headOf("a"), pinnedKeys()], [null, []]);
});
