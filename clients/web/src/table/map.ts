// Where the spaces of a map go in the room that it has.
import type { Space } from "../api/types";

export type Box = { width: number; height: number };
export type Point = { x: number; y: number };

const ROUNDS = 80;
const GAP = 4;
const FULL = 0.5;

/** The middles of the spaces, in pixels of a map of that size: where the ruleset says, but so that none covers another. */
export function laidOut(spaces: readonly Space[], map: Box, cells: readonly Box[]): Point[] {
  const [x, y] = [scale(spaces.map((space) => space.x)), scale(spaces.map((space) => space.y))];
  const [w, h] = [Math.max(...cells.map((cell) => cell.width)), Math.max(...cells.map((cell) => cell.height))];
  const points = spaces.map((space) => ({ x: w / 2 + x(space.x) * (map.width - w), y: h / 2 + y(space.y) * (map.height - h) }));
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, a] of points.entries()) for (let j = i + 1; j < points.length; j++) part([a, cells[i]!], [points[j]!, cells[j]!], map);
  return points;
}

/** The first of these sizes of cells of which so many leave enough of the map to be read; else the last. */
export function roomy(count: number, sizes: readonly Box[], map: Box): Box {
  return sizes.find((cell) => count * cell.width * cell.height <= FULL * map.width * map.height) ?? sizes.at(-1)!;
}

// The part of the map that this board uses, as parts of one.
function scale(values: readonly number[]): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (value - least) / Math.max(1, most - least);
}

type Placed = [at: Point, cell: Box];

// Moves two that would cover each other asunder, the short way.
function part([a, one]: Placed, [b, other]: Placed, map: Box): void {
  const x = (one.width + other.width) / 2 + GAP - Math.abs(a.x - b.x);
  const y = (one.height + other.height) / 2 + GAP - Math.abs(a.y - b.y);
  if (x <= 0 || y <= 0) return;
  const axis = x < y ? "x" : "y";
  const by = ((axis === "x" ? x : y) / 2) * (a[axis] <= b[axis] ? 1 : -1);
  a[axis] -= by;
  b[axis] += by;
  keepWithin(a, one, map);
  keepWithin(b, other, map);
}

function keepWithin(at: Point, cell: Box, map: Box): void {
  at.x = Math.min(map.width - cell.width / 2, Math.max(cell.width / 2, at.x));
  at.y = Math.min(map.height - cell.height / 2, Math.max(cell.height / 2, at.y));
}

const SHORT_WORD = 3;

/** A mark for where there is no room for the name: first letters, without those of little words, and numbers. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > SHORT_WORD || /^[\p{Lu}\p{N}]/u.test(word)).map((word) => (/^\d/.test(word) ? word : word[0]!.toUpperCase())).join("");
}
