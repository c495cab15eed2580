// Writes services/web/sw.js: the worker with the files that the client begins with, and a name for just these.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { withImports } from "./parts.js";

const built = new URL("../../services/web/", import.meta.url);
const read = (name) => readFileSync(new URL(name, built));
const page = read("index.html").toString();
const assets = readdirSync(new URL("assets/", built)).map((name) => `assets/${name}`);
const home = assets.filter((name) => /\/house-[^/]*\.(js|css)$/.test(name));
const first = [...new Set([...assets.filter((name) => page.includes(name)), ...home].flatMap(withImports))];
const version = createHash("sha256");
for (const name of ["index.html", ...first]) version.update(read(name));

const worker = readFileSync(new URL("sw.js", import.meta.url), "utf8")
  .replace("/* FILES */ []", JSON.stringify(["/", ...first.map((name) => `/${name}`)]))
  .replace('/* VERSION */ ""', JSON.stringify(version.digest("hex").slice(0, 16)));
writeFileSync(new URL("sw.js", built), worker);
