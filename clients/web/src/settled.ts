// The moment from which a page may load what only adorns it: the typeface and pictures come after the first possible click
// (docs/decisions/143).
import { signal } from "@preact/signals";
import western from "./style/alegreya-latin.woff2?url";
import hungarian from "./style/alegreya-latin-ext.woff2?url";

const LOOK_MS = 400;
const FAMILY = "Alegreya";
const FILES = [
  [western, "U+20-7E, U+A0-FF, U+2010-20AC, U+2212"],
  [hungarian, "U+150-151, U+170-171"],
] as const;

/** Whether the page has all that it is used by. */
export const settled = signal(false);

/** Look until nothing on the page is loading any more, then fetch the typeface. */
export function settle(): void {
  if (document.readyState !== "complete" || !document.querySelector("main") || document.querySelector(".loading"))
    return void setTimeout(settle, LOOK_MS);
  settled.value = true;
  for (const [file, unicodeRange] of FILES)
    document.fonts.add(
      new FontFace(FAMILY, `url(${file}) format("woff2")`, { weight: "700", unicodeRange, display: "swap" }),
    );
}
