// What the built client is made of, as Vite tells it; and what each page begins with.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const built = new URL("../../services/web/", import.meta.url);
export const read = (name) => readFileSync(new URL(name, built));
export const write = (name, content) => writeFileSync(new URL(name, built), content);
export const assets = () =>
  readdirSync(new URL("assets/", built))
    .filter((name) => !name.endsWith(".br"))
    .map((name) => `assets/${name}`);

const PAGES = {
  "/": "src/house/index.tsx",
  "/new/{ruleset_id}": "src/pages/new.tsx",
  "/t/{table_id}": "src/pages/table.tsx",
  "/t/{table_id}/replay": "src/replay/index.tsx",
  "/rules/{ruleset_id}": "src/house/others.tsx",
  "/games": "src/house/others.tsx",
  "/settings": "src/house/others.tsx",
  "/p/{player_id}": "src/house/others.tsx",
  "/tournaments": "src/tournaments/index.tsx",
  "/tournaments/{tournament_id}": "src/tournaments/index.tsx",
  "/account": "src/people/index.tsx",
  "/embed/t/{table_id}": "src/embed/index.tsx",
  "/embed/t/{table_id}/replay": "src/embed/index.tsx",
};

/** The English words that all pages speak, and those of some. */
export const WORDS = {
  all: "src/i18n/en.json",
  "/": "src/house/en.json",
  "/t/{table_id}/replay": "src/replay/en.json",
};

/** Of each part of the client the files that it cannot begin without, scripts and styles. */
export function beginnings(manifest) {
  const closure = (key, seen = new Set()) => {
    if (seen.has(key)) return [];
    seen.add(key);
    const { file, css = [], imports = [] } = manifest[key];
    return [file, ...css, ...imports.flatMap((other) => closure(other, seen))];
  };
  return (...keys) => [...new Set(keys.flatMap((key) => closure(key)))];
}

export function pages(manifest) {
  const of = beginnings(manifest);
  const first = Object.keys(manifest).find((key) => manifest[key].name === "app");
  const { file, css } = manifest["index.html"];
  const there = [file, ...css]; // which the page itself names
  return Object.fromEntries(
    Object.entries(PAGES).map(([path, page]) => [
      path,
      of("index.html", first, page).filter((file) => !there.includes(file)),
    ]),
  );
}
