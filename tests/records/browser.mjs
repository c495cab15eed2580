// What the browser's verifier says of files, a line of JSON for each: `node browser.mjs FILE...`.
// zones: digests, as in the index of the vectors, over what Python's json.dumps(zones, sort_keys=True) writes.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { blake2b } from "../../clients/verify-js/node_modules/@noble/hashes/blake2.js";
import { verify } from "../../clients/verify-js/dist/index.js";

function dumped(value) {
  if (Array.isArray(value)) return `[${value.map(dumped).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{${Object.keys(value).sort().map((key) => `"${key}": ${dumped(value[key])}`).join(", ")}}`;
}

function digest(zones) {
  return Buffer.from(blake2b(new TextEncoder().encode(dumped(zones)), { dkLen: 8 })).toString("hex");
}

function read(path) {
  const data = readFileSync(path);
  return path.endsWith(".gz") ? gunzipSync(data) : data;
}

for (const path of process.argv.slice(2)) {
  const zones = {};
  const report = verify(read(path), { heard: (row, now) => (zones[row] = digest(now)) });
  console.log(JSON.stringify({ ...report, zones }));
}
