// @vitest-environment happy-dom
// The interface's texts in each language.
import { afterEach, assert, test } from "vitest";
import { w } from "../house/words";
import { left } from "../house/time";
import { LOCALES } from "../look";
import { span } from "../replay/time";
import { CATALOGUES as CHAPTERS, chaptersAt } from "./catalogues";
import { chapter, chooseLocale, dated, locale, startLocale, t } from ".";

const RAW = import.meta.glob<string>("../*/{en,es,hu}.json", { import: "default", query: "?raw", eager: true });
const CATALOGUES: Record<string, Record<string, string>> = Object.fromEntries(
  Object.entries(RAW).map(([path, text]) => [path, JSON.parse(text)]),
);
const PARAMETERS = /\{n?(\d+)(?=[,}])/g;
const folders = [...new Set(Object.keys(CATALOGUES).map((path) => path.replace(/\w+\.json$/, "")))];
const of = (folder: string, language: string) => CATALOGUES[`${folder}${language}.json`] ?? {};
const parameters = (text: string | undefined) =>
  [...new Set([...(text ?? "").matchAll(PARAMETERS)].map(([, nth]) => nth))].sort();

afterEach(() => chooseLocale("en"));

test.each(folders)("%s says the same words in each language, about the same things", (folder) => {
  for (const language of Object.keys(LOCALES)) {
    assert.deepEqual(Object.keys(of(folder, language)).sort(), Object.keys(of(folder, "en")).sort(), language);
    for (const [word, text] of Object.entries(of(folder, "en")))
      assert.deepEqual(parameters(of(folder, language)[word]), parameters(text), `${language} ${word}`);
  }
});

test("one and many have their own forms, and none where a text has one for it", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => w("entries", count)),
    ["0 players", "1 player", "2 players"],
  );
  assert.equal(t("length", 12, 1), "12 events in 1 minute");
  assert.equal(t("length", 12, 7), "12 events in 7 minutes");
});

test("a chosen language is spoken by all that is there, and kept", async () => {
  const { say, knows } = chapter("tournaments");
  const { default: words } = await CHAPTERS.tournaments.en();
  const [word] = Object.keys(words) as (keyof typeof words)[];
  for (const language of ["hu", "es", "en"] as const) {
    await chooseLocale(language);
    assert.equal(say(word!), of("../tournaments/", language)[word!]);
    assert.equal(document.documentElement.lang, language);
  }
  assert(knows(word!) && !knows("no such word"));
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

test("a page asks for the words that it speaks, and for no others", () => {
  const house = ["/", "/games", "/settings", "/p/1", "/rules/1"];
  for (const path of house) assert.deepEqual(chaptersAt(path), ["base", "house"], path);
  for (const path of ["/t/1/replay", "/embed/t/1/replay", "/imports/1"])
    assert.deepEqual(chaptersAt(path), ["base", "replay"], path);
  for (const path of ["/account", "/oauth/authorize"]) assert.deepEqual(chaptersAt(path), ["base", "people"], path);
  assert.deepEqual(chaptersAt("/tournaments/1/desk"), ["base", "house", "tournaments"]);
  for (const path of ["/t/1", "/new/1", "/embed/t/1", "/elsewhere"]) assert.deepEqual(chaptersAt(path), ["base"], path);
});
