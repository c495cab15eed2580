// Fails when the first page costs more than 80 kB, as a browser gets it.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST = 80_000;
const built = new URL("../../services/web/", import.meta.url);
const files = ["index.html", ...readdirSync(new URL("assets/", built)).map((name) => `assets/${name}`)];
const size = files.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, built))).length, 0);
console.log(`first page: ${size} bytes gzip, of ${MOST}`);
if (size > MOST) process.exit(1);
