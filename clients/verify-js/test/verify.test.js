// A record, and what somebody knows of it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { verify } from "../dist/index.js";

const file = gunzipSync(readFileSync(new URL("../../../api-schema/vectors/kingdoms.json.gz", import.meta.url)));
const { table, rows } = JSON.parse(file);

test("a record that holds is told by its figures", () => {
  const { length } = rows;
  assert.deepEqual(verify(file), { rows: length, roots: length, shuffles: 1, dice: 1, finding: null, whole: true });
});

test("it has to be the table's, and to have the head that was kept", () => {
  const { head } = rows.at(-2).event;
  assert.equal(verify(file, { table, head }).finding, null);
  assert.deepEqual(verify(file, { table: "0".repeat(26), head }).finding, { row: null, what: "another" });
  assert.deepEqual(verify(file, { table, head: "0".repeat(16) }).finding, { row: null, what: "head" });
});

test("a cut file, or none, is named and not thrown", () => {
  for (const cut of [0, 1, 1000, file.length - 1]) {
    assert.deepEqual(verify(file.subarray(0, cut)).finding, { row: null, what: "json" });
  }
});
