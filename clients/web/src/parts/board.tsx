// A map: spaces where the ruleset says they are, lines between those that lie beside each other, pieces upon them.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Board, Space, Spot } from "../api/types";
import { t } from "../i18n";
import { keyOf, placeKey } from "../table/choosing";
import { nthHue } from "../table/colours";
import { useTable } from "../table/context";
import { crowded, initials, laidOut, roomy, type Box, type Point } from "../table/map";
import { here } from "../table/words";
import { useZoom, type Zoom } from "../table/zooming";
import { Amount } from "./numbers";
import { Companions } from "./piles";

const SHORT: Box = { width: 48, height: 40 };
const CELLS: readonly Box[] = [{ width: 112, height: 62 }, { width: 98, height: 64 }, { width: 86, height: 66 }, SHORT];

export function BoardView({ board }: { board: Board }) {
  const { ruleset, words } = useTable();
  const frame = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const named = useSignal("");
  const zoom = useZoom(frame);
  const room = useBox(frame);
  const map = { width: room.width * zoom.factor, height: room.height * zoom.factor };
  const { cell, points } = useSpaces(board, inner, map);
  const short = cell === SHORT;
  const spots = ruleset.spots.filter((spot) => spot.at === "board");
  const kinds = [...new Set(board.spaces.map((space) => space.facts["kind"]))];
  return (
    <>
      <MapTools zoom={zoom} named={named.value} />
      <section class="board" aria-label={words.value.zone(board.zone).text} tabIndex={0} ref={frame} style={{ "--spaces": String(board.spaces.length) }}>
        <div class="map" data-short={short} style={{ inlineSize: `${map.width}px`, blockSize: `${map.height}px`, "--cell": `${cell.width}px` }} ref={inner}>
          <svg aria-hidden="true">{board.edges.map((edge) => <Line key={`${edge.a} ${edge.b}`} a={points[edge.a]!} b={points[edge.b]!} kind={edge.kind} />)}</svg>
          {board.spaces.map((space, index) => (
            <SpaceView key={space.id} space={space} index={index} zone={board.zone} spots={spots} at={points[index]!} nthKind={kinds.indexOf(space.facts["kind"])} short={short} name={(name) => (named.value = name)} />
          ))}
        </div>
      </section>
    </>
  );
}

function MapTools({ zoom, named }: { zoom: Zoom; named: string }) {
  return (
    <div class="map-tools">
      <output class="named">{named}</output>
      <button type="button" data-action="zoom-out" aria-label={t("zoom-out")} disabled={zoom.least} onClick={zoom.out}>−</button>
      <button type="button" data-action="zoom-in" aria-label={t("zoom-in")} disabled={zoom.most} onClick={zoom.in}>+</button>
    </div>
  );
}

// How much room the map has. What it is given, not what it takes.
function useBox(frame: RefObject<HTMLElement | null>): Box {
  const box = useSignal<Box>({ width: 0, height: 0 });
  useEffect(() => {
    const watcher = new ResizeObserver(() => (box.value = { width: frame.current!.clientWidth, height: frame.current!.clientHeight }));
    watcher.observe(frame.current!);
    return () => watcher.disconnect();
  }, []);
  return box.value;
}

// Spaces of the largest size at which none covers another, by how large what stands on them makes them.
function useSpaces(board: Board, inner: RefObject<HTMLElement | null>, map: Box): { cell: Box; points: Point[] } {
  const measured = useMeasured(board, inner);
  const least = useSignal(0);
  const cell = CELLS.slice(least.value).find((each) => roomy(board.spaces.length, each, map)) ?? SHORT;
  const cells = board.spaces.map((_, index) => measured[index] ?? cell);
  const points = useMemo(() => laidOut(board.spaces, map, cells), [board, measured, map.width, map.height, cell]);
  useEffect(() => void (least.value = 0), [map.width, map.height]);
  useEffect(() => {
    const known = cells.every(({ width }) => width === cell.width);
    if (map.width && known && cell !== SHORT && crowded(points, cells)) least.value = CELLS.indexOf(cell) + 1;
  }, [points]);
  return { cell, points };
}

function useMeasured(board: Board, inner: RefObject<HTMLElement | null>): readonly Box[] {
  const cells = useSignal<readonly Box[]>([]);
  useEffect(() => {
    const spaces = [...inner.current!.querySelectorAll<HTMLElement>(".space")];
    const watcher = new ResizeObserver(() => (cells.value = spaces.map(({ offsetWidth, offsetHeight }) => ({ width: offsetWidth, height: offsetHeight }))));
    for (const space of spaces) watcher.observe(space);
    return () => watcher.disconnect();
  }, [board]);
  return cells.value;
}

function Line({ a, b, kind }: { a: Point; b: Point; kind: string }) {
  return <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} data-kind={kind} />;
}

type Shown = { space: Space; index: number; zone: string; spots: readonly Spot[]; at: Point; nthKind: number; short: boolean; name: (name: string) => void };

function SpaceView({ space, index, zone, spots, at, nthKind, short, name }: Shown) {
  const table = useTable();
  const key = placeKey(zone, index);
  const lit = table.lit.value.has(key);
  const pressed = lit ? table.touched.value.pieces.includes(keyOf({ kind: "place", value: index, zone })) : undefined;
  const touched = () => {
    name(here(space.name));
    if (lit) table.touch(key);
  };
  return (
    <div class={lit ? "space lit" : "space"} style={{ ...nthHue(nthKind), left: `${at.x}px`, top: `${at.y}px` }}>
      <button type="button" data-move={lit || undefined} aria-pressed={pressed} title={here(space.name)} onClick={touched}><SpaceName name={here(space.name)} short={short} /></button>
      <span class="pieces"><Standing zone={zone} index={index} spots={spots} /></span>
    </div>
  );
}

function SpaceName({ name, short }: { name: string; short: boolean }) {
  if (!short) return <span class="name">{name}</span>;
  return <><span class="name" aria-hidden="true">{initials(name)}</span><span class="visually-hidden">{name}</span></>;
}

function Standing({ zone, index, spots }: { zone: string; index: number; spots: readonly Spot[] }) {
  const zones = useTable().view.value?.view?.zones ?? {};
  const counted = (spot: Spot) => Number((zones[spot.zone] as number[] | undefined)?.[index] ?? 0);
  return <>{spots.filter(counted).map((spot) => <Amount key={spot.zone} spot={spot} value={counted(spot)} />)}<Companions of={zone} index={index} /></>;
}
