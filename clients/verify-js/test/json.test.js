// JSON as a record's reader takes it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parsed } from "../dist/json.js";

const read = (text) => parsed(new TextEncoder().encode(text));
const plain = (value) => JSON.parse(JSON.stringify(value));

test("what JSON.parse takes is taken alike", () => {
  const good = ['{"a": [1, -2, "b"], "c": {"d": null}}', " [true,\tfalse]\r\n", '"\\u00e9\\n\\"\\\\"', "[]", "{}", "0", '"é😀"'];
  for (const text of good) assert.deepEqual(plain(read(text)), JSON.parse(text), text);
});

test("what is no JSON, or says something twice, is refused", () => {
  const bad = [
    "", "[", "[1,]", '{"a":1,}', "{a:1}", "01", "+1", "NaN", "Infinity", "'a'", '"a', '"\t"', '"\\x"', "[] []", "nul", "\ufeff[]",
    '{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '{"a":1,"\\u0061":2}', "[".repeat(100_000), "1".repeat(5000), "{} x",
  ];
  for (const text of bad) assert.throws(() => read(text), SyntaxError, text.slice(0, 20));
  assert.throws(() => parsed(new Uint8Array([0x22, 0xff, 0x22])), SyntaxError);
});

test("integers are exact, and what is none is no number", () => {
  assert.equal(read("253402300799999999"), 253402300799999999n);
  assert.equal(read("9007199254740991"), 9007199254740991);
  for (const text of ["1.0", "1e3", "-0.5"]) assert.ok(Number.isNaN(read(text)));
});

test("a key may be called as a method is", () => {
  assert.deepEqual(Object.keys(read('{"__proto__": 1, "constructor": 2}')), ["__proto__", "constructor"]);
});
