// Fails when the first page costs more than 80 kB as a browser gets it, or a part that is loaded when it is asked for 20 kB.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const built = new URL("../../services/web/", import.meta.url);
const read = (name) => readFileSync(new URL(name, built));
const page = read("index.html").toString();
const assets = readdirSync(new URL("assets/", built)).map((name) => `assets/${name}`);

// What a script cannot begin without.
function withImports(name) {
  if (!name.endsWith(".js")) return [name];
  const imported = [...read(name).toString().matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, other]) => `assets/${other}`);
  return [name, ...imported.flatMap(withImports)];
}

function within(most, what, files) {
  const size = files.reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  console.log(`${what}: ${size} bytes gzip, of ${most}`);
  if (size > most) process.exitCode = 1;
}

const first = new Set(assets.filter((name) => page.includes(name)).flatMap(withImports));
within(80_000, "first page", ["index.html", ...first]);
for (const name of assets.filter((name) => !first.has(name))) within(20_000, name, [name]);
