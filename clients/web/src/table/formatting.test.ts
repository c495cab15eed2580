// The examples that also test the server.
import { assert, test } from "vitest";
import examples from "../../../../tests/engine/story/formatting.json";
import en from "../../../../engine/src/ludarium_engine/texts/en.json?raw";
import es from "../../../../engine/src/ludarium_engine/texts/es.json?raw";
import hu from "../../../../engine/src/ludarium_engine/texts/hu.json?raw";
import { compile } from "../i18n/compile";
import { cardList, format, type Texts } from "./formatting";
import { read } from "./reading";

const TEXTS: Record<string, Texts> = { en: JSON.parse(en), es: JSON.parse(es), hu: JSON.parse(hu) };

for (const { locale, text, arguments: given, said } of examples.formatted) {
  test(`messages are formatted: ${locale}: ${text}, ${given}`, () =>
    assert.strictEqual(
      format(
        locale,
        text,
        given.map(([text, number]) => ({ text: String(text), number: Number(number) })),
      ),
      said,
    ));
}

for (const { locale, names, hidden, said } of examples.listed) {
  test(`cards are listed: ${said}`, () => assert.strictEqual(cardList(locale, TEXTS[locale]!, names, hidden), said));
}

const TITLES = import.meta.glob<string>("../../../../engine/src/ludarium_engine/titles/*/texts/*.json", {
  import: "default",
  query: "?raw",
  eager: true,
});
const OWN = import.meta.glob<string>("../*/{en,es,hu}.json", { import: "default", query: "?raw", eager: true });

test("messages are read as the library that compiles reads them", () => {
  const all = Object.entries({ ...TITLES, ...OWN }).flatMap(([path, file]) =>
    Object.values<string>(JSON.parse(file)).map((text) => [path.slice(-7, -5), text] as const),
  );
  assert(all.length > 6_000);
  for (const [locale, text] of [...all, ...examples.formatted.map(({ locale, text }) => [locale, text] as const)])
    assert.deepEqual(read(text), compile(text, locale), text);
});

test.each([
  "'' '{0}' '{'' it''s }' {1}",
  "{n0, plural, =1 {'#' '{#}' d'#' '' x} other {# '' x}}",
  "{a, select, x {# '' x} other {{b}}} # '#'",
  "{n0, plural, one {{n1, selectordinal, other {#}} #} other {{a, select, other {# x}}}}",
  "{ 0 } { n0 ,plural , =1{a}  other { b } }",
])("quotations and nesting: %s", (text) => assert.deepEqual(read(text), compile(text, "en")));

test.each([
  "{0",
  "{n0, plural, one {a}}",
  "{n0, plural, few {a} other {b}}",
  "{0, number}",
  "{n0, plural, offset:1 other {a}}",
])("a malformed message is refused: %s", (message) => assert.throws(() => void compile(message, "en")));
