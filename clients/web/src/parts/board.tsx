// A map: spaces where the ruleset says they are, lines between those that lie beside each other, pieces upon them.
import type { Board, Space, Spot } from "../api/types";
import { keyOf, placeKey } from "../table/choosing";
import { hueOf } from "../table/colours";
import { useTable } from "../table/context";
import { here } from "../table/words";
import { Amount, Companions } from "./zone";

export function BoardView({ board }: { board: Board }) {
  const { ruleset, words } = useTable();
  const spots = ruleset.spots.filter((spot) => spot.at === "board");
  return (
    <section class="board" aria-label={words.value.zone(board.zone).text} tabIndex={0}>
      <div class="map">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {board.edges.map((edge) => <Line key={`${edge.a} ${edge.b}`} a={board.spaces[edge.a]!} b={board.spaces[edge.b]!} kind={edge.kind} />)}
        </svg>
        {board.spaces.map((space, index) => <SpaceView key={space.id} space={space} index={index} zone={board.zone} spots={spots} />)}
      </div>
    </section>
  );
}

function Line({ a, b, kind }: { a: Space; b: Space; kind: string }) {
  return <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} data-kind={kind} vector-effect="non-scaling-stroke" />;
}

function SpaceView({ space, index, zone, spots }: { space: Space; index: number; zone: string; spots: readonly Spot[] }) {
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
  const looks = { style: { ...hueOf(String(space.facts["kind"] ?? "")), left: `${space.x}%`, top: `${space.y}%` }, "data-kind": space.facts["kind"] };
  if (!table.lit.value.has(key)) return <div class="space" {...looks}>{content}</div>;
  const pressed = table.touched.value.pieces.includes(keyOf({ kind: "place", value: index, zone }));
  return <button type="button" class="space lit" data-move aria-pressed={pressed} {...looks} onClick={() => table.touch(key)}>{content}</button>;
}
