// Fails when what a page begins with weighs more than it should, as a browser gets it, without the data; or a part that is
// loaded when it is asked for.
import { brotliCompressSync } from "node:zlib";
import { assets, read, shown } from "./parts.js";

const manifest = JSON.parse(read("parts.json"));
const page = (path) => ["index.html", ...shown(manifest, path)];

function within(most, what, files) {
  const size = files.reduce((sum, name) => sum + brotliCompressSync(read(name)).length, 0);
  console.log(`${what}: ${size} bytes brotli, of ${most}`);
  if (size > most) process.exitCode = 1;
}

within(40_000, "home", page("/"));
within(72_000, "a table", page("/t/{table_id}"));
within(77_000, "a replay", page("/t/{table_id}/replay"));
const part = (name) => (name.startsWith("assets/app-") ? 22_000 : name.endsWith(".woff2") ? 25_000 : 20_000);
for (const name of assets()) within(part(name), name, [name]);
