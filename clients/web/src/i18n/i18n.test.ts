// @vitest-environment happy-dom
// The words of the interface, in each language.
import { afterEach, assert, test } from "vitest";
import english from "../house/en.json";
import { left } from "../house/time";
import { LOCALES, type Locale } from "../look";
import { span } from "../replay/time";
import { filled } from "../table/filling";
import { chapter, chooseLocale, dated, locale, startLocale, t } from ".";

const CATALOGUES = import.meta.glob<Record<string, string>>("../*/{en,es,hu}.json", { import: "default", eager: true });
const BLANKS = /\{(\d+)/g;
const folders = [...new Set(Object.keys(CATALOGUES).map((path) => path.replace(/\w+\.json$/, "")))];
const of = (folder: string, language: string) => CATALOGUES[`${folder}${language}.json`] ?? {};
const blanks = (text: string | undefined) =>
  [...new Set([...(text ?? "").matchAll(BLANKS)].map(([, nth]) => nth))].sort();

afterEach(() => chooseLocale("en"));

test.each(folders)("%s says the same words in each language, about the same things", (folder) => {
  for (const language of Object.keys(LOCALES)) {
    assert.deepEqual(Object.keys(of(folder, language)).sort(), Object.keys(of(folder, "en")).sort(), language);
    for (const [word, text] of Object.entries(of(folder, "en")))
      assert.deepEqual(blanks(of(folder, language)[word]), blanks(text), `${language} ${word}`);
  }
});

test("one and many have their own forms, and none where a text has one for it", () => {
  const entries = (count: number) => filled(english.entries, [{ text: String(count), number: count }]);
  assert.deepEqual([0, 1, 2].map(entries), ["0 players", "1 player", "2 players"]);
  assert.equal(t("length", 12, 1), "12 events in 1 minute");
  assert.equal(t("length", 12, 7), "12 events in 7 minutes");
});

test("a chosen language is spoken by all that is there, and kept", async () => {
  const said = chapter(
    { hello: "Hello, {0}" },
    {
      es: async () => ({ default: { hello: "Hola, {0}" } }),
      hu: async () => ({ default: { hello: "Szia, {0}" } }),
    },
  );
  const spoken: [Locale, string][] = [];
  for (const language of ["hu", "es", "en"] as const) {
    await chooseLocale(language);
    spoken.push([locale.value, said("hello", "Ada")]);
    assert.equal(document.documentElement.lang, language);
  }
  assert.deepEqual(spoken, [
    ["hu", "Szia, Ada"],
    ["es", "Hola, Ada"],
    ["en", "Hello, Ada"],
  ]);
  await chooseLocale("hu");
  locale.value = "en";
  await startLocale();
  assert.equal(locale.value, "hu");
});

test("times are said as the language says them", async () => {
  const soon = () => new Date(Date.now() + 2 * 3_600_000 + 60_000).toISOString();
  assert.deepEqual(
    [span(1_500), span(12_000), span(180_000), left(soon())],
    ["1.5 sec", "12 sec", "3 min", "in 2 hours"],
  );
  await chooseLocale("es");
  assert.deepEqual([span(1_500), left(soon())], ["1,5 s", "dentro de 2 horas"]);
  assert.match(dated("2026-05-04T12:00:00Z"), /^4 may 2026$/);
});
