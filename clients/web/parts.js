// What the built client is made of, as Vite tells it; and what each page begins with.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const built = new URL("../../services/src/ludarium/web/", import.meta.url);
export const read = (name) => readFileSync(new URL(name, built));
export const write = (name, content) => writeFileSync(new URL(name, built), content);
export const assets = () =>
  readdirSync(new URL("assets/", built))
    .filter((name) => !name.endsWith(".br"))
    .map((name) => `assets/${name}`);

// Each page's own part, and the chapters of words that it speaks besides those of all pages (see i18n/catalogues.ts).
const PAGES = {
  "/": ["src/house/index.tsx", "house"],
  "/new/{ruleset_id}": ["src/pages/new.tsx"],
  "/t/{table_id}": ["src/pages/table.tsx"],
  "/t/{table_id}/replay": ["src/replay/index.tsx", "replay"],
  "/imports/{import_id}/replay": ["src/replay/index.tsx", "replay"],
  "/rules/{ruleset_id}": ["src/house/others.tsx", "house"],
  "/games": ["src/house/others.tsx", "house"],
  "/settings": ["src/house/others.tsx", "house"],
  "/p/{player_id}": ["src/house/others.tsx", "house"],
  "/tournaments": ["src/tournaments/index.tsx", "house", "tournaments"],
  "/tournaments/{tournament_id}": ["src/tournaments/index.tsx", "house", "tournaments"],
  "/tournaments/{tournament_id}/desk": ["src/tournaments/desk.tsx", "house", "tournaments"],
  "/account": ["src/people/index.tsx", "people"],
  "/recover": ["src/people/index.tsx", "people"],
  "/reset": ["src/people/index.tsx", "people"],
  "/oauth/authorize": ["src/people/index.tsx", "people"],
  "/device": ["src/people/index.tsx", "people"],
  "/admin": ["src/admin/index.tsx", "admin"],
  "/embed/t/{table_id}": ["src/embed/index.tsx"],
  "/embed/t/{table_id}/replay": ["src/embed/index.tsx"],
};
const LOCALES = ["en", "es", "hu"];

/** Of each part of the client the files that it cannot begin without, scripts and styles. */
function beginnings(manifest) {
  const closure = (key, seen = new Set()) => {
    if (seen.has(key)) return [];
    seen.add(key);
    const { file, css = [], imports = [] } = manifest[key];
    return [file, ...css, ...imports.flatMap((other) => closure(other, seen))];
  };
  return (...keys) => [...new Set(keys.flatMap((key) => closure(key)))];
}

/** The files that the page itself names: its script and its style. */
function named(manifest) {
  const { file, css } = Object.values(manifest).find(({ name }) => name === "first");
  return [file, ...css];
}

/** By page: the files of its scripts and styles, and by language those of its words. */
export function pages(manifest) {
  const of = beginnings(manifest);
  const first = Object.keys(manifest).find((key) => manifest[key].name === "app");
  const there = named(manifest);
  const begun = ([part, ...chapters]) => ({
    files: of(first, part).filter((file) => !there.includes(file)),
    words: Object.fromEntries(LOCALES.map((locale) => [locale, of(...words(locale, chapters))])),
  });
  return Object.fromEntries(Object.entries(PAGES).map(([path, page]) => [path, begun(page)]));
}

/** All files that a page in English begins with. */
export function shown(manifest, path) {
  const { files, words } = pages(manifest)[path];
  return [...new Set([...named(manifest), ...files, ...words.en])];
}

const words = (locale, chapters) => ["i18n", ...chapters].map((chapter) => `src/${chapter}/${locale}.json`);
