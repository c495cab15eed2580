// `make font`: the typeface of headings and names, Alegreya (SIL Open Font License 1.1), as small as our languages allow: one file
// with Western letters, and one with Hungarian ő and ű. With `--check` says whether they are there as they should be.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import subset from "subset-font";

const WEIGHT = 700;
const from = new URL("node_modules/@fontsource/alegreya/files/", import.meta.url);
const to = new URL("src/style/", import.meta.url);
const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, nth) => first + nth));
/** By set of Fontsource: what of it is kept. */
const KEPT = { latin: `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’‚“”„…•€−`, "latin-ext": "ŐőŰű" };

for (const [set, letters] of Object.entries(KEPT)) {
  const made = await subset(readFileSync(new URL(`alegreya-${set}-${WEIGHT}-normal.woff2`, from)), letters, {
    targetFormat: "woff2",
  });
  written(new URL(`alegreya-${set}.woff2`, to), made);
}

function written(file, made) {
  if (!process.argv.includes("--check")) return writeFileSync(file, made);
  if (!existsSync(file) || !readFileSync(file).equals(made)) throw new Error(`${file.pathname}: make font`);
}
