// How large the spaces of a map are drawn, and where: as its room and what stands on them allow.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Board } from "../api/types";
import { crowded, laidOut, roomy, type Box, type Point } from "./map";

/** The size of a space that has room for a mark only, not for its name. */
export const MARKED: Box = { width: 48, height: 40 };
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

/** Spaces of the largest size at which none covers another, by how large what stands on them makes them. */
export function useSpaces(
  board: Board,
  inner: RefObject<HTMLElement | null>,
  map: Box,
): { cell: Box; cells: Box[]; points: Point[] } {
  const measured = useMeasured(board, inner);
  const least = useSignal(0);
  const cell = CELLS.slice(least.value).find((each) => roomy(board.spaces.length, each, map)) ?? MARKED;
  const cells = board.spaces.map((_, index) => measured[index] ?? cell);
  const points = useMemo(() => laidOut(board.spaces, map, cells), [board, measured, map.width, map.height, cell]);
  useEffect(() => void (least.value = 0), [map.width, map.height]);
  useEffect(() => {
    const known = cells.every(({ width }) => width === cell.width);
    if (map.width && known && cell !== MARKED && crowded(points, cells)) least.value = CELLS.indexOf(cell) + 1;
  }, [points]);
  return { cell, cells, points };
}

function useMeasured(board: Board, inner: RefObject<HTMLElement | null>): readonly Box[] {
  const cells = useSignal<readonly Box[]>([]);
  useEffect(() => {
    const spaces = [...inner.current!.querySelectorAll<HTMLElement>(".space")];
    // As the observer tells it: to ask the spaces themselves would lay the page out once more.
    const watcher = new ResizeObserver((entries) => {
      const sizes = new Map(entries.map(({ target, borderBoxSize }) => [target, boxOf(borderBoxSize[0]!)]));
      cells.value = spaces.map((space, nth) => sizes.get(space) ?? cells.peek()[nth]!);
    });
    for (const space of spaces) watcher.observe(space);
    return () => watcher.disconnect();
  }, [board]);
  return cells.value;
}

function boxOf({ inlineSize, blockSize }: ResizeObserverSize): Box {
  return { width: Math.round(inlineSize), height: Math.round(blockSize) };
}
