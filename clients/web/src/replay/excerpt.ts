// Which lines of a long story are shown: some around the moment, and more on request.
import type { Line } from "./spoken";

const AROUND = 25;
const MORE = 50;

/** Lines from the first number up to but without the second, counted from 0. */
export type Excerpt = { readonly from: number; readonly to: number };

/** Return the last line at or before this step; -1 before the first one. */
export function lastBy(lines: readonly Line[], step: number): number {
  return lines.findLastIndex(({ nth }) => nth <= step);
}

/** Return the lines before and after a line. */
export function around(here: number, count: number): Excerpt {
  return { from: Math.max(0, here - AROUND), to: Math.min(count, here + 1 + AROUND) };
}

export function further({ from, to }: Excerpt, way: "earlier" | "later", count: number): Excerpt {
  return way === "earlier" ? { from: Math.max(0, from - MORE), to } : { from, to: Math.min(count, to + MORE) };
}
