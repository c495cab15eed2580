// A map: spaces where the ruleset says they are, lines between those that lie beside each other, pieces upon them.
import { useMemo } from "preact/hooks";
import type { Board, Space, Spot } from "../api/types";
import { keyOf, placeKey } from "../table/choosing";
import { nthHue } from "../table/colours";
import { useTable } from "../table/context";
import { here } from "../table/words";
import { Amount, Companions } from "./zone";

const EDGE = 7;

export function BoardView({ board }: { board: Board }) {
  const { ruleset, words } = useTable();
  const spots = ruleset.spots.filter((spot) => spot.at === "board");
  const frame = useMemo(() => framed(board.spaces), [board]);
  const kinds = [...new Set(board.spaces.map((space) => space.facts["kind"]))];
  return (
    <section class="board" aria-label={words.value.zone(board.zone).text} tabIndex={0}>
      <div class="map" style={{ aspectRatio: frame.ratio }}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {board.edges.map((edge) => <Line key={`${edge.a} ${edge.b}`} a={frame.at(edge.a)} b={frame.at(edge.b)} kind={edge.kind} />)}
        </svg>
        {board.spaces.map((space, index) => <SpaceView key={space.id} space={space} index={index} zone={board.zone} spots={spots} at={frame.at(index)} nthKind={kinds.indexOf(space.facts["kind"])} />)}
      </div>
    </section>
  );
}

type Point = { x: number; y: number };

type Frame = { ratio: string; at(index: number): Point };

// The part of the map that this board uses, with an edge around it; in percent of that part.
function framed(spaces: readonly Space[]): Frame {
  const [xs, ys] = [spaces.map(({ x }) => x), spaces.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(1, Math.max(...xs) - left), Math.max(1, Math.max(...ys) - top)];
  const scaled = (part: number, whole: number) => EDGE + (part / whole) * (100 - 2 * EDGE);
  const points = apart(spaces.map(({ x, y }) => ({ x: scaled(x - left, width), y: scaled(y - top, height) })));
  return { ratio: width > height ? "16 / 10" : "16 / 13", at: (index) => points[index]! };
}

const [WIDE, HIGH] = [12.5, 11.5];
const ROUNDS = 60;

/** Moves spaces that would cover each other asunder, each pair the short way. */
function apart(points: Point[]): Point[] {
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, a] of points.entries()) for (const b of points.slice(i + 1)) part(a, b);
  return points;
}

function part(a: Point, b: Point): void {
  const [x, y] = [WIDE - Math.abs(a.x - b.x), HIGH - Math.abs(a.y - b.y)];
  if (x <= 0 || y <= 0) return;
  if (x / WIDE < y / HIGH) shift(a, b, "x", x / 2);
  else shift(a, b, "y", y / 2);
}

function shift(a: Point, b: Point, axis: "x" | "y", by: number): void {
  const sign = a[axis] <= b[axis] ? 1 : -1;
  a[axis] = within(a[axis] - sign * by);
  b[axis] = within(b[axis] + sign * by);
}

function within(percent: number): number {
  return Math.min(100 - EDGE, Math.max(EDGE, percent));
}

function Line({ a, b, kind }: { a: Point; b: Point; kind: string }) {
  return <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} data-kind={kind} vector-effect="non-scaling-stroke" />;
}

type Shown = { space: Space; index: number; zone: string; spots: readonly Spot[]; at: Point; nthKind: number };

function SpaceView({ space, index, zone, spots, at, nthKind }: Shown) {
  const table = useTable();
  const key = placeKey(zone, index);
  const zones = table.view.value?.view?.zones ?? {};
  const content = (
    <>
      <span class="name">{here(space.name)}</span>
      <span class="pieces">
        {spots.map((spot) => {
          const value = Number((zones[spot.zone] as number[] | undefined)?.[index] ?? 0);
          return value ? <Amount key={spot.zone} spot={spot} value={value} /> : null;
        })}
        <Companions of={zone} index={index} />
      </span>
    </>
  );
  const looks = { style: { ...nthHue(nthKind), left: `${at.x}%`, top: `${at.y}%` } };
  if (!table.lit.value.has(key)) return <div class="space" {...looks}>{content}</div>;
  const pressed = table.touched.value.pieces.includes(keyOf({ kind: "place", value: index, zone }));
  return <button type="button" class="space lit" data-move aria-pressed={pressed} {...looks} onClick={() => table.touch(key)}>{content}</button>;
}
