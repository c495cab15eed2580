// How large the spaces of a map are drawn, and where: as its room and what stands on them allow.
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Board, Space } from "../api/types";
import { locale } from "../i18n";
import { crowded, laidOut, roomy, type Box, type Point } from "./map";

/** The size of a space that has room for a mark only, not for its name. */
const MARKED: Box = { width: 48, height: 40 };
const CELLS: readonly Box[] = [
  { width: 112, height: 62 },
  { width: 98, height: 64 },
  { width: 86, height: 66 },
  MARKED,
];

/** How much room there is in the frame of a map. */
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

/** The spaces as they are drawn, and their middles. */
export type Laid = { readonly cells: readonly Box[]; readonly points: readonly Point[] };

/** Spaces of the largest size at which none covers another, by how large what stands on them makes them: `standing`. */
export function useSpaces(board: Board, inner: RefObject<HTMLElement | null>, map: Box, standing: unknown): Laid {
  const laid = useSignal<Laid>({
    cells: board.spaces.map(() => MARKED),
    points: board.spaces.map(() => ({ x: 0, y: 0 })),
  });
  const grown = useGrown(board, inner, laid);
  const arrange = () => {
    if (map.width && inner.current) laid.value = kept(laid.peek(), arranged(board.spaces, inner.current, map));
  };
  // When what stands there is drawn too.
  useLayoutEffect(() => queueMicrotask(arrange), [board, map.width, map.height, standing, grown, locale.value]);
  return laid.value;
}

// How often spaces were of other sizes than they were laid out for, whatever it came from: other letters, say.
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

// Tried from the largest on each time, and not from what was there before: where one came from must not matter.
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

// What has not changed stays the same, so that it is not drawn anew.
function kept(before: Laid, now: Laid): Laid {
  const points = now.points.map((point, nth) => (same(point, before.points[nth]!) ? before.points[nth]! : point));
  const still = points.every((point, nth) => point === before.points[nth]);
  return still && now.cells.every((cell, nth) => same(cell, before.cells[nth]!)) ? before : { ...now, points };
}

function same<T extends Point | Box>(one: T, other: T): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
