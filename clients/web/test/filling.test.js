// The examples that the server is held to as well.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filled, listed } from "../node_modules/.unit/table/filling.js";

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url)));
const examples = read("tests/engine/story/filling.json");

for (const { text, fillings, said } of examples.filled) {
  test(`blanks are filled: ${text}, ${fillings}`, () =>
    assert.equal(
      filled(
        text,
        fillings.map(([text, number]) => ({ text, number })),
      ),
      said,
    ));
}

for (const { locale, names, unseen, said } of examples.listed) {
  test(`cards are listed: ${said}`, () =>
    assert.equal(listed(read(`engine/texts/${locale}.json`), names, unseen), said));
}
