// Lays out the spaces of a map in its frame.
import type { Space } from "../api/types";

export type Box = { width: number; height: number };
export type Point = { x: number; y: number };

const ROUNDS = 300;
const GAP = 4;
const EDGE = 6;
const FULL = 0.5;

/**
 * Return the centres of the spaces in pixels of a map of this size: at the ruleset's positions, moved so that none covers
 * another.
 */
export function laidOut(spaces: readonly Space[], map: Box, cells: readonly Box[]): Point[] {
  const [x, y] = [scale(spaces.map((space) => space.x)), scale(spaces.map((space) => space.y))];
  const [w, h] = [
    2 * EDGE + Math.max(...cells.map((cell) => cell.width)),
    2 * EDGE + Math.max(...cells.map((cell) => cell.height)),
  ];
  const points = spaces.map((space) => ({
    x: w / 2 + x(space.x) * (map.width - w),
    y: h / 2 + y(space.y) * (map.height - h),
  }));
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false;
    for (let nth = 0; nth < points.length; nth++)
      for (let other = nth + 1; other < points.length; other++)
        if (part(points[nth]!, cells[nth]!, points[other]!, cells[other]!, map)) moved = true;
  }
  return points;
}

/** Whether any space covers another. */
export function crowded(points: readonly Point[], cells: readonly Box[]): boolean {
  const apart = (a: number, b: number, axis: "x" | "y", size: "width" | "height") =>
    Math.abs(points[a]![axis] - points[b]![axis]) >= (cells[a]![size] + cells[b]![size]) / 2;
  return points.some((_, a) =>
    points.some((_, b) => a < b && !apart(a, b, "x", "width") && !apart(a, b, "y", "height")),
  );
}

/** Whether this many cells leave enough of the map readable. */
export function roomy(count: number, cell: Box, map: Box): boolean {
  return count * cell.width * cell.height <= FULL * map.width * map.height;
}

// Scale the used part of the map to the range from 0 to 1.
function scale(values: readonly number[]): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return (value) => (value - least) / Math.max(1, most - least);
}

// Move two overlapping spaces apart, the short way; return whether they overlapped. Called so often that it allocates nothing.
function part(a: Point, one: Box, b: Point, other: Box, map: Box): boolean {
  const x = (one.width + other.width) / 2 + GAP - Math.abs(a.x - b.x);
  const y = (one.height + other.height) / 2 + GAP - Math.abs(a.y - b.y);
  if (x <= 0.5 || y <= 0.5) return false;
  const axis = x < y ? "x" : "y";
  const by = x < y ? x : y;
  const sign = a[axis] <= b[axis] ? 1 : -1;
  const missing = by - shifted(a, one, map, axis, (-sign * by) / 2);
  shifted(a, one, map, axis, -sign * (missing - shifted(b, other, map, axis, sign * missing)));
  return true;
}

// Shift a space as far as the edge of the map allows; return how far it moved.
function shifted(at: Point, cell: Box, map: Box, axis: "x" | "y", by: number): number {
  const before = at[axis];
  const half = EDGE + (axis === "x" ? cell.width : cell.height) / 2;
  at[axis] = Math.min((axis === "x" ? map.width : map.height) - half, Math.max(half, before + by));
  return Math.abs(at[axis] - before);
}

const SHORT_WORD = 3;

/** Abbreviate a name: initials without those of short words, and numbers. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => word.length > SHORT_WORD || /^[\p{Lu}\p{N}]/u.test(word))
    .map((word) => (/^\d/.test(word) ? word : word[0]!.toUpperCase()))
    .join("");
}

/** Return the outline of some spaces at this distance: the hull of their cells, in order. */
export function hull(points: readonly Point[], cells: readonly Box[], beyond: number): Point[] {
  const corners = points
    .flatMap(({ x, y }, nth) => {
      const [w, h] = [cells[nth]!.width / 2 + beyond, cells[nth]!.height / 2 + beyond];
      return [
        { x: x - w, y: y - h },
        { x: x + w, y: y - h },
        { x: x + w, y: y + h },
        { x: x - w, y: y + h },
      ];
    })
    .sort((a, b) => a.x - b.x || a.y - b.y);
  return [...chain(corners), ...chain(corners.toReversed())];
}

// One half of a hull (Andrew), without its last corner, which begins the other half.
function chain(corners: readonly Point[]): Point[] {
  const found: Point[] = [];
  for (const next of corners) {
    while (found.length > 1 && turn(found.at(-2)!, found.at(-1)!, next) <= 0) found.pop();
    found.push(next);
  }
  return found.slice(0, -1);
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
