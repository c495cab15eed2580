// Fails when a cold visit costs more than it should, as a browser gets it; and each part that is loaded
// when it is asked for more than 20 kB.
import { readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { read, withImports } from "./parts.js";

const page = read("index.html").toString();
const assets = readdirSync(new URL("../../services/web/assets/", import.meta.url)).map((name) => `assets/${name}`);
const named = (...names) => assets.filter((file) => names.some((name) => file.startsWith(`assets/${name}-`)));

function within(most, what, files) {
  const size = [...new Set(files)].reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  console.log(`${what}: ${size} bytes gzip, of ${most}`);
  if (size > most) process.exitCode = 1;
}

const shell = ["index.html", ...assets.filter((name) => page.includes(name)).flatMap(withImports)];
within(30_000, "what every page begins with", shell);
within(40_000, "home", [...shell, ...named("house").flatMap(withImports)]);
within(70_000, "a table", [...shell, ...named("table").flatMap(withImports)]);
for (const name of assets.filter((name) => !shell.includes(name))) within(20_000, name, [name]);
