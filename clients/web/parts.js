// What the built client is made of.
import { readFileSync } from "node:fs";

const built = new URL("../../services/web/", import.meta.url);
export const read = (name) => readFileSync(new URL(name, built));

/** What a script cannot begin without. */
export function withImports(name) {
  if (!name.endsWith(".js")) return [name];
  const imported = [...read(name).toString().matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, other]) => `assets/${other}`);
  return [name, ...imported.flatMap(withImports)];
}
