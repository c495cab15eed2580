// A map: spaces where the ruleset says they are, lines between those that lie beside each other, pieces upon them.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Area, Board, Space, Spot } from "../api/types";
import { t } from "../i18n";
import { keyOf, slotKey } from "../table/choosing";
import { nthHue } from "../table/colours";
import { useTable } from "../table/context";
import { hull, initials, type Box, type Point } from "../table/map";
import { MARKED, useBox, useSpaces } from "../table/spaces";
import { here } from "../table/words";
import { useZoom, type Zoom } from "../table/zooming";
import { Amount, Force } from "./numbers";
import { Companions } from "./piles";

export function BoardView({ board }: { board: Board }) {
  const { ruleset, words } = useTable();
  const frame = useRef<HTMLElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const named = useSignal("");
  const zoom = useZoom(frame);
  const room = useBox(frame);
  const map = { width: room.width * zoom.factor, height: room.height * zoom.factor };
  const { cell, cells, points } = useSpaces(board, inner, map);
  const short = cell === MARKED;
  const spots = ruleset.spots.filter((spot) => spot.at === "board");
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
          data-short={short}
          data-water={board.areas.length > 0}
          style={{ inlineSize: `${map.width}px`, blockSize: `${map.height}px`, "--cell": `${cell.width}px` }}
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
              spots={spots}
              at={points[index]!}
              short={short}
              nthKind={kinds.indexOf(space.facts["kind"])}
              name={(name) => (named.value = name)}
            />
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
  spots: readonly Spot[];
  at: Point;
  nthKind: number;
  short: boolean;
  name: (name: string) => void;
};

function SpaceView({ space, index, zone, spots, at, nthKind, short, name }: Shown) {
  const table = useTable();
  const key = slotKey(zone, index);
  const lit = table.lit.value.has(key);
  const focus = table.view.value?.view?.focus?.pieces.some((piece) => keyOf(piece) === key);
  const touched = () => {
    name(here(space.name));
    if (lit) table.touch(key);
  };
  return (
    <div
      class={lit ? "space lit" : "space"}
      data-slot={`${zone}:${index}`}
      data-focus={focus || undefined}
      style={{ ...nthHue(nthKind), left: `${at.x}px`, top: `${at.y}px` }}
    >
      <button
        type="button"
        data-move={lit || undefined}
        aria-pressed={lit ? table.pressed.value.has(key) : undefined}
        title={here(space.name)}
        onClick={touched}
      >
        <SpaceName space={space} short={short} />
      </button>
      {table.planned.value.has(key) && <span class="planned">{table.planned.value.get(key)}</span>}
      <span class="pieces">
        <Standing zone={zone} index={index} spots={spots} />
      </span>
    </div>
  );
}

function SpaceName({ space, short }: { space: Space; short: boolean }) {
  const { words } = useTable();
  const name = here(space.name);
  if (!short) return <span class="name">{name}</span>;
  return (
    <>
      <span class="name" aria-hidden="true">
        {words.value.short(`space.${space.id}`) ?? initials(name)}
      </span>
      <span class="visually-hidden">{name}</span>
    </>
  );
}

/** What stands there: units as their owner's, who is said with them. */
function Standing({ zone, index, spots }: { zone: string; index: number; spots: readonly Spot[] }) {
  const zones = (useTable().view.value?.view?.zones ?? {}) as Record<string, readonly number[] | undefined>;
  const counted = (spot: Spot) => Number(zones[spot.zone]?.[index] ?? 0);
  const owner = ({ whose }: Spot) => (whose ? (zones[whose]?.[index] ?? -1) : -1);
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
