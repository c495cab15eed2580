// Formats messages as the web client does: `node format.mjs FILE`, of [locale, text, [[text, number]...]]; prints a JSON list.
import { readFileSync } from "node:fs";
import { format } from "../../../clients/web/node_modules/.folding/table/formatting.js";

const messages = JSON.parse(readFileSync(process.argv[2]));
const given = (all) => all.map(([text, number]) => ({ text, number }));
console.log(JSON.stringify(messages.map(([locale, text, args]) => format(locale, text, given(args)))));
