// msgpack as rows have it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unpacked } from "../dist/msgpack.js";

const read = (hex) => unpacked(Uint8Array.from(Buffer.from(hex, "hex")));

test("each form of a value is read", () => {
  const forms = {
    "7f": 127, "e0": -32, "c0": null, "c2": false, "c3": true, "ccff": 255, "cd0100": 256, "ce00010000": 65536,
    "cf001fffffffffffff": Number.MAX_SAFE_INTEGER, "cfffffffffffffffff": 2n ** 64n - 1n,
    "d0ff": -1, "d1ff00": -256, "d2ffff0000": -65536, "d38000000000000000": -(2n ** 63n), "a3c3a962": "éb", "d90161": "a", "da000161": "a", "db0000000161": "a",
    "ca3f800000": 1, "cb3ff8000000000000": 1.5, "920102": [1, 2], "dc00020102": [1, 2], "dd000000020102": [1, 2],
  };
  for (const [hex, value] of Object.entries(forms)) assert.deepEqual(read(hex), value, hex);
  for (const hex of ["c4020102", "c500020102", "c6000000020102"]) assert.deepEqual([...read(hex)], [1, 2]);
  for (const hex of ["81a16101", "de0001a16101", "df00000001a16101"]) assert.deepEqual([...read(hex)], [["a", 1]]);
});

test("what is cut, goes on, is none or too deep is refused", () => {
  const deep = "91".repeat(1000) + "c0";
  const bad = ["", "92", "9201", "0101", "c1", "d40000", "a261", "c40201", "ddffffffff", "dfffffffff01", "a1ff", deep];
  for (const hex of bad) assert.throws(() => read(hex), SyntaxError, hex.slice(0, 20));
});
