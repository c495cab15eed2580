// `make icons`: for every title the paths of the icons that its icons/names.json names, beside it as paths.json. Game-icons.net,
// CC BY 3.0. With `--check` says whether they are there as they should be.
import { readdirSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { icons } from "@iconify-json/game-icons";

const titles = new URL("../../engine/src/ludarium_engine/titles/", import.meta.url);
const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

for (const title of readdirSync(titles)) {
  const folder = new URL(`${title}/icons/`, titles);
  const names = read(new URL("names.json", folder));
  if (names) written(title, new URL("paths.json", folder), [...new Set(Object.values(JSON.parse(names)))].sort());
}

function written(title, file, names) {
  const paths = Object.fromEntries(names.map((name) => [name, pathOf(title, name)]));
  const text = `${JSON.stringify(paths, null, 1)}\n`;
  if (!process.argv.includes("--check")) return writeFileSync(file, text);
  if (read(file) !== text) throw new Error(`icons of ${title}: make icons`);
}

function pathOf(title, name) {
  const path = icons.icons[name]?.body.match(/^<path fill="currentColor" d="([^"]+)"\/>$/)?.[1];
  if (!path) throw new Error(`${title}: there is no icon ${name}`);
  return rounded(path);
}

// Of 512 units one is less than anybody sees. The flags of arcs, two of seven numbers, may stand without a space.
function rounded(path) {
  const told = [];
  for (const [, command, rest] of path.matchAll(/([a-z])([^a-z]*)/gi)) {
    const number = /-?(?:\d+\.?\d*|\.\d+)/g;
    told.push(command);
    for (let nth = 0, at = 0; ; nth++) {
      const flag = /a/i.test(command) && (nth % 7 === 3 || nth % 7 === 4);
      const found = matched(flag ? /[01]/g : number, rest, at);
      if (!found) break;
      at = found.index + found[0].length;
      told.push(String(Math.round(Number(found[0]))));
    }
  }
  return told.reduce((whole, one) => whole + (/[\d.]$/.test(whole) && /^[\d.]/.test(one) ? " " : "") + one, "");
}

function matched(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
