// Fails when what a page begins with weighs more than it should, as a browser gets it, without the data; or a part that is
// loaded when it is asked for.
import { brotliCompressSync } from "node:zlib";
import { assets, beginnings, pages, read, WORDS } from "./parts.js";

const begins = pages(JSON.parse(read("parts.json")));
const first = ["index.html", ...beginnings(JSON.parse(read("parts.json")))("index.html", WORDS)];

function within(most, what, files) {
  const size = [...new Set(files)].reduce((sum, name) => sum + brotliCompressSync(read(name)).length, 0);
  console.log(`${what}: ${size} bytes brotli, of ${most}`);
  if (size > most) process.exitCode = 1;
}

within(38_000, "home", [...first, ...begins["/"]]);
within(70_000, "a table", [...first, ...begins["/t/{table_id}"]]);
within(75_000, "a replay", [...first, ...begins["/t/{table_id}/replay"]]);
for (const name of assets()) within(name.startsWith("assets/app-") ? 22_000 : 20_000, name, [name]);
