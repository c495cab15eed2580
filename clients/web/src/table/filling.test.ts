// The examples that the server is held to as well.
import { assert, test } from "vitest";
import en from "../../../../engine/src/ludarium_engine/texts/en.json";
import es from "../../../../engine/src/ludarium_engine/texts/es.json";
import hu from "../../../../engine/src/ludarium_engine/texts/hu.json";
import examples from "../../../../tests/engine/story/filling.json";
import { filled, listed, type Texts } from "./filling";

const TEXTS: Record<string, Texts> = { en, es, hu };

for (const { text, fillings, said } of examples.filled) {
  test(`blanks are filled: ${text}, ${fillings}`, () =>
    assert.strictEqual(
      filled(
        text,
        fillings.map(([text, number]) => ({ text: String(text), number: Number(number) })),
      ),
      said,
    ));
}

for (const { locale, names, unseen, said } of examples.listed) {
  test(`cards are listed: ${said}`, () => assert.strictEqual(listed(TEXTS[locale]!, names, unseen), said));
}
