// Fails when the first page costs more than 80 kB as a browser gets it, or a part that is loaded when it is asked for 20 kB.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const built = new URL("../../services/web/", import.meta.url);
const page = readFileSync(new URL("index.html", built), "utf8");
const assets = readdirSync(new URL("assets/", built)).map((name) => `assets/${name}`);

function within(most, what, files) {
  const size = files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, built))).length, 0);
  console.log(`${what}: ${size} bytes gzip, of ${most}`);
  if (size > most) process.exitCode = 1;
}

within(80_000, "first page", ["index.html", ...assets.filter((name) => page.includes(name))]);
for (const name of assets.filter((name) => !page.includes(name))) within(20_000, name, [name]);
