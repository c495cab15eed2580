// After a build: says what each page begins with (parts.json), writes the worker with the files of home, English, and a name for
// just these (sw.js), and packs everything once, as well as brotli can.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { assets, pages, read, shown, write } from "./parts.js";

const WORTH_IT = 1024;
const manifest = JSON.parse(read("parts.json"));
write("parts.json", JSON.stringify(pages(manifest)));

const first = shown(manifest, "/");
const version = createHash("sha256");
for (const name of ["index.html", ...first]) version.update(read(name));
const worker = readFileSync(new URL("sw.js", import.meta.url), "utf8")
  .replace("/* FILES */ []", JSON.stringify(["/", ...first.map((name) => `/${name}`)]))
  .replace('/* VERSION */ ""', JSON.stringify(version.digest("hex").slice(0, 16)));
write("sw.js", worker);

for (const name of assets())
  if (!name.endsWith(".woff2") && read(name).length >= WORTH_IT) write(`${name}.br`, brotliCompressSync(read(name)));
