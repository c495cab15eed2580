// Whether the browser's verifier finds each of these signed: `node statements.mjs FILE` of JSON [{said, keys}, …].
import { readFileSync } from "node:fs";
import { isSigned } from "../../clients/verify-js/dist/index.js";

console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2])).map(({ said, keys }) => isSigned(said, keys))));
