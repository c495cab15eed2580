// A map: spaces at the ruleset's positions, lines between neighbours, and pieces on the spaces.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Area, Board, Space, Spot } from "../api/types";
import { t } from "../i18n";
import { keyOf, placeKey, slotKey } from "../table/choosing";
import { nthHue } from "../table/colours";
import { useTable } from "../table/context";
import { hull, initials, type Box, type Point } from "../table/map";
import { useBox, useSpaces } from "../table/spaces";
import { here } from "../here";
import { useZoom, type Zoom } from "../table/zooming";
import { Amount, Force } from "./numbers";
import { Companions } from "./piles";

export function BoardView({ board }: { board: Board }) {
  const { ruleset, view, words, layouts } = useTable();
  const frame = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const named = useSignal("");
  const zoom = useZoom(frame);
  const room = useBox(frame);
  const map = { width: room.width * zoom.factor, height: room.height * zoom.factor };
  const { cells, points } = useSpaces(board, inner, map, view.value?.view?.zones);
  useEffect(() => void layouts.value++, [cells, points]);
  const spots = useMemo(() => ruleset.spots.filter((spot) => spot.at === "board"), [ruleset]);
  const focus = new Set(view.value?.view?.focus?.pieces.map(keyOf));
  const kinds = [...new Set(board.spaces.map((space) => space.facts["kind"]))];
  return (
    <>
      <MapTools zoom={zoom} named={named.value} />
      <section
        class="board"
        aria-label={words.value.zone(board.zone).text}
        tabIndex={0}
        ref={frame}
        style={{ "--spaces": String(board.spaces.length) }}
      >
        <div
          class="map"
          data-water={board.areas.length > 0}
          style={{ inlineSize: `${map.width}px`, blockSize: `${map.height}px` }}
          ref={inner}
        >
          <svg aria-hidden="true">
            {board.areas.map((area, nth) => (
              <AreaView key={nth} area={area} points={points} cells={cells} />
            ))}
            {board.edges.map((edge) => (
              <Line key={`${edge.a} ${edge.b}`} a={points[edge.a]!} b={points[edge.b]!} kind={edge.kind} />
            ))}
          </svg>
          {board.spaces.map((space, index) => (
            <SpaceView
              key={space.id}
              space={space}
              index={index}
              zone={board.zone}
              areas={board.areas.flatMap(({ name, spaces }) => (name && spaces.includes(index) ? [name] : []))}
              spots={spots}
              at={points[index]!}
              nthKind={kinds.indexOf(space.facts["kind"])}
              focus={focus.has(slotKey(board.zone, index))}
              named={named}
            />
          ))}
        </div>
      </section>
    </>
  );
}

const PANS = [
  ["left", "←", -1, 0],
  ["right", "→", 1, 0],
  ["up", "↑", 0, -1],
  ["down", "↓", 0, 1],
] as const;

function MapTools({ zoom, named }: { zoom: Zoom; named: string }) {
  return (
    <div class="map-tools">
      <output class="named">{named}</output>
      {!zoom.least &&
        PANS.map(([to, sign, across, down]) => (
          <button
            type="button"
            key={to}
            data-action={`pan-${to}`}
            aria-label={t(`pan-${to}`)}
            onClick={() => zoom.pan(across, down)}
          >
            {sign}
          </button>
        ))}
      <button type="button" data-action="zoom-out" aria-label={t("zoom-out")} disabled={zoom.least} onClick={zoom.out}>
        −
      </button>
      <button type="button" data-action="zoom-in" aria-label={t("zoom-in")} disabled={zoom.most} onClick={zoom.in}>
        +
      </button>
    </div>
  );
}

const BEYOND = { land: 12, walls: 4 };

function AreaView({
  area: { kind, spaces },
  points,
  cells,
}: {
  area: Area;
  points: readonly Point[];
  cells: readonly Box[];
}) {
  const round = hull(
    spaces.map((space) => points[space]!),
    spaces.map((space) => cells[space]!),
    BEYOND[kind],
  );
  return <polygon data-area={kind} points={round.map(({ x, y }) => `${x},${y}`).join(" ")} />;
}

function Line({ a, b, kind }: { a: Point; b: Point; kind: string }) {
  return <line x1={a.x} y1={a.y} x2={b.x} y2={b.y} data-kind={kind} />;
}

type Shown = {
  space: Space;
  index: number;
  zone: string;
  /** The named areas that contain the space. */
  areas: readonly string[];
  spots: readonly Spot[];
  at: Point;
  nthKind: number;
  focus: boolean;
  named: Signal<string>;
};

function SpaceView({ space, index, zone, areas, spots, at, nthKind, focus, named }: Shown) {
  const table = useTable();
  const keys = [slotKey(zone, index), ...areas.map(placeKey)];
  const key = keys.find((each) => table.lit.value.has(each)) ?? null;
  const touched = () => {
    named.value = here(space.name);
    if (key) table.touch(key);
  };
  const planned = table.planned.value.get(keys[0]!);
  return (
    <div
      class={key ? "space lit" : "space"}
      data-slot={`${zone}:${index}`}
      data-focus={focus || undefined}
      style={{ ...nthHue(nthKind), left: `${at.x}px`, top: `${at.y}px` }}
    >
      <button
        type="button"
        data-move={!!key || undefined}
        aria-pressed={key ? table.pressed.value.has(key) : undefined}
        title={here(space.name)}
        onClick={touched}
      >
        <SpaceName space={space} />
      </button>
      {planned !== undefined && <span class="planned">{planned}</span>}
      <span class="pieces">
        <Standing zone={zone} index={index} spots={spots} />
      </span>
    </div>
  );
}

// Without room for the name its abbreviation is shown, and screen readers still get the name.
function SpaceName({ space }: { space: Space }) {
  const { words } = useTable();
  const name = here(space.name);
  return (
    <>
      <span class="name spoken">{name}</span>
      <span class="initials" aria-hidden="true">
        {words.value.short(`space.${space.id}`) ?? initials(name)}
      </span>
    </>
  );
}

/** The contents of a space: units in their owner's colour, with the owner's name. */
function Standing({ zone, index, spots }: { zone: string; index: number; spots: readonly Spot[] }) {
  const table = useTable();
  const entry = (name: string) => (table.parts.zone(name) as readonly number[] | undefined)?.[index];
  const counted = (spot: Spot) => Number(entry(spot.zone) ?? 0);
  const owner = ({ whose }: Spot) => (whose ? (entry(whose) ?? -1) : -1);
  const there = spots.filter(counted);
  const said = there.flatMap((spot) => (owner(spot) >= 0 ? [spot.whose!] : []));
  return (
    <>
      {there.map((spot) =>
        owner(spot) >= 0 ? (
          <Force key={spot.zone} spot={spot} value={counted(spot)} seat={owner(spot)} />
        ) : (
          <Amount key={spot.zone} spot={spot} value={counted(spot)} />
        ),
      )}
      <Companions of={zone} index={index} without={said} />
    </>
  );
}
