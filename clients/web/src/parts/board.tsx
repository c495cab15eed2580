// A map: spaces where the ruleset says they are, lines between those that lie beside each other, pieces upon them.
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
  const frame = framed(board.spaces);
  const kinds = [...new Set(board.spaces.map((space) => space.facts["kind"]))];
  return (
    <section class="board" aria-label={words.value.zone(board.zone).text} tabIndex={0}>
      <div class="map" style={{ aspectRatio: frame.ratio }}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {board.edges.map((edge) => <Line key={`${edge.a} ${edge.b}`} a={frame.at(board.spaces[edge.a]!)} b={frame.at(board.spaces[edge.b]!)} kind={edge.kind} />)}
        </svg>
        {board.spaces.map((space, index) => <SpaceView key={space.id} space={space} index={index} zone={board.zone} spots={spots} at={frame.at(space)} nthKind={kinds.indexOf(space.facts["kind"])} />)}
      </div>
    </section>
  );
}

type Point = { x: number; y: number };

// The part of the map that this board uses, with an edge around it; in percent of that part.
function framed(spaces: readonly Space[]): { ratio: string; at(space: Space): Point } {
  const [xs, ys] = [spaces.map(({ x }) => x), spaces.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(1, Math.max(...xs) - left), Math.max(1, Math.max(...ys) - top)];
  const scaled = (part: number, whole: number) => EDGE + (part / whole) * (100 - 2 * EDGE);
  return { ratio: width > height ? "16 / 10" : "16 / 13", at: ({ x, y }) => ({ x: scaled(x - left, width), y: scaled(y - top, height) }) };
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
