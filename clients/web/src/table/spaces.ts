// The size and position of a map's spaces, as its frame and their contents allow.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Board, Space } from "../api/types";
import { locale } from "../i18n";
import { crowded, laidOut, roomy, type Box, type Point } from "./map";

/** The size of a space with room for an abbreviation, not for its name. */
const MARKED: Box = { width: 48, height: 40 };
const CELLS: readonly Box[] = [
  { width: 112, height: 62 },
  { width: 98, height: 64 },
  { width: 86, height: 66 },
  MARKED,
];

/** Return the size of a map's frame. */
export function useBox(frame: RefObject<HTMLElement | null>): Box {
  const box = useSignal<Box>({ width: 0, height: 0 });
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      box.value = { width: Math.round(width), height: Math.round(height) };
    });
    watcher.observe(frame.current!);
    return () => watcher.disconnect();
  }, []);
  return box.value;
}

/** The spaces as rendered, and their centres. */
export type Laid = { readonly cells: readonly Box[]; readonly points: readonly Point[] };

/** Lay out spaces at the largest size at which none covers another; `standing`: their contents, which determine the size. */
export function useSpaces(board: Board, inner: RefObject<HTMLElement | null>, map: Box, standing: unknown): Laid {
  const laid = useSignal<Laid>({
    cells: board.spaces.map(() => MARKED),
    points: board.spaces.map(() => ({ x: 0, y: 0 })),
  });
  const grown = useGrown(board, inner, laid);
  const arrange = () => {
    if (map.width && inner.current) laid.value = kept(laid.peek(), arranged(board.spaces, inner.current, map));
  };
  // Once the contents are rendered too.
  useLayoutEffect(() => queueMicrotask(arrange), [board, map.width, map.height, standing, grown, locale.value]);
  return laid.value;
}

// Counts how often spaces have changed their size since the layout for any reason, such as another font.
function useGrown(board: Board, inner: RefObject<HTMLElement | null>, laid: ReadonlySignal<Laid>): number {
  const times = useSignal(0);
  useEffect(() => {
    const spaces = spacesIn(inner.current!);
    const watcher = new ResizeObserver(() => {
      if (!spaces.every((space, nth) => same(sizeOf(space), laid.peek().cells[nth]!))) times.value++;
    });
    for (const space of spaces) watcher.observe(space);
    return () => watcher.disconnect();
  }, [board]);
  return times.value;
}

// Always tried from the largest size on, so that the result does not depend on the previous layout.
function arranged(spaces: readonly Space[], inner: HTMLElement, map: Box): Laid {
  const elements = spacesIn(inner);
  const tried = CELLS.filter((cell) => cell === MARKED || roomy(spaces.length, cell, map));
  for (const cell of tried) {
    inner.style.setProperty("--cell", `${cell.width}px`);
    inner.dataset["short"] = String(cell === MARKED);
    const cells = elements.map(sizeOf);
    const points = laidOut(spaces, map, cells);
    if (cell === MARKED || !crowded(points, cells)) return { cells, points };
  }
  throw new RangeError("spaces as small as marks are taken as they come");
}

function spacesIn(inner: HTMLElement): HTMLElement[] {
  return [...inner.querySelectorAll<HTMLElement>(".space")];
}

function sizeOf({ offsetWidth, offsetHeight }: HTMLElement): Box {
  return { width: offsetWidth, height: offsetHeight };
}

// Return the same object if nothing has changed, so that it is not rendered again.
function kept(before: Laid, now: Laid): Laid {
  const points = now.points.map((point, nth) => (same(point, before.points[nth]!) ? before.points[nth]! : point));
  const still = points.every((point, nth) => point === before.points[nth]);
  return still && now.cells.every((cell, nth) => same(cell, before.cells[nth]!)) ? before : { ...now, points };
}

function same<T extends Point | Box>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
