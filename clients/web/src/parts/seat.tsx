// A seat: its player, whether it is their turn, and their zones.
import type { ComponentChildren } from "preact";
import type { Spot } from "../api/types";
import { me } from "../guest";
import { counted, t } from "../i18n";
import { cardKey, seatKey } from "../table/choosing";
import { useTable } from "../table/context";
import { narrow } from "../table/screen";
import type { Table } from "../table/store";
import { ClockView } from "./clock";
import { Fold } from "./fold";
import { Sign } from "./icons";
import { Lit } from "./lit";
import { Neighbour } from "./neighbour";
import { Said } from "./said";
import { Token } from "./token";
import { ZoneView } from "./zone";

/** deeds: what its player may do besides moving. */
export function SeatView({ seat, own, deeds }: { seat: number; own: boolean; deeds?: ComponentChildren }) {
  const table = useTable();
  const { ruleset, view, words } = table;
  const spots = ruleset.spots.filter((spot) => spot.at === "seat" && words.value.kind(spot.zone)?.kind !== "number");
  const folded = narrow.value && !own;
  const shown = (...shapes: Spot["shape"][]) =>
    spots
      .filter(({ shape }) => shapes.includes(shape))
      .map((spot) => <ZoneView key={spot.zone} spot={spot} seat={seat} />);
  const cards = <div class="zones">{shown("row", "hand", "stack", "dice")}</div>;
  const state = {
    "data-turn": view.value?.status === "playing" && view.value.view?.turn === seat,
    "data-finished": standing(table, seat) > 0,
  };
  return (
    <section
      class={own ? "seat own" : "seat"}
      data-seat={seat}
      {...state}
      role="group"
      aria-label={words.value.seat(seat)}
      tabIndex={own ? 0 : undefined}
    >
      <div class="seat-head">
        <SeatName seat={seat} own={own} />
        <ClockView seat={seat} />
        <About seat={seat} />
        <div class="amounts">
          <Roles seat={seat} />
          {shown("amount")}
          {!folded && shown("mark")}
        </div>
      </div>
      {folded ? (
        <Folded spots={spots} seat={seat}>
          <div class="amounts">{shown("mark")}</div>
          {cards}
        </Folded>
      ) : (
        cards
      )}
      {deeds}
    </section>
  );
}

function About({ seat }: { seat: number }) {
  const { body, parts, words } = useTable();
  const player = parts.seats[seat]?.player;
  return me.value && player && player !== me.value ? (
    <Neighbour table={body.id} player={player} name={words.value.seat(seat)} />
  ) : null;
}

// On a narrow screen the zones of other seats unfold on request, or when something in them is selectable.
function Folded({ spots, seat, children }: { spots: readonly Spot[]; seat: number; children: ComponentChildren }) {
  const table = useTable();
  const { lit, words } = table;
  const cards = spots
    .filter((spot) => words.value.kind(spot.zone)?.kind === "piles")
    .flatMap((spot) => (table.parts.zone(spot.zone) as (readonly number[])[] | undefined)?.[seat] ?? []);
  return (
    <Fold open={cards.some((card) => lit.value.has(cardKey(card)))} label={counted("cards", cards.length)}>
      {children}
    </Fold>
  );
}

function SeatName({ seat, own }: { seat: number; own: boolean }) {
  const table = useTable();
  const game = table.view.value?.status === "playing" ? table.view.value.view : null;
  const present = table.presence.value?.seats;
  const finished = standing(table, seat);
  const sat = table.view.value?.seats[seat];
  const away = !!sat?.player && (sat.away || (present && !present.includes(seat)));
  const name = (
    <>
      <Token seat={seat} />
      <span class="who">{table.words.value.seat(seat)}</span>
      {own && !!sat?.player && sat.player === me.value && <span class="tag">{t("you")}</span>}
      {sat?.owner && <span class="tag">{t("program")}</span>}
      {finished > 0 && <span class="tag finished">{t("finished", finished)}</span>}
      {sat?.retired && <span class="tag">{t("retired")}</span>}
      {away && !own && !sat.retired && <span class="tag">{t("away")}</span>}
      {game?.turn === seat && <span class="tag turn">{t("turn")}</span>}
      {game?.asked.includes(seat) && !own && !away && <span class="tag asked">{t("asked")}</span>}
    </>
  );
  const key = seatKey(seat);
  if (!table.lit.value.has(key)) return <h2 class="seat-name">{name}</h2>;
  return (
    <h2 class="seat-name">
      <Lit touch={key}>{name}</Lit>
    </h2>
  );
}

/** Return the place with which the seat has finished while others play on; 0 if it has not. */
function standing(table: Table, seat: number): number {
  const spot = table.ruleset.spots.find(({ shape }) => shape === "standing");
  return spot ? ((table.parts.zone(spot.zone) as number[] | undefined)?.[seat] ?? 0) : 0;
}

/** Marks whose number names a seat, such as attacker or first player. */
function Roles({ seat }: { seat: number }) {
  const table = useTable();
  const { words } = table;
  const here = (spot: Spot) =>
    spot.at === "seat" && words.value.kind(spot.zone)?.kind === "number" && table.parts.zone(spot.zone) === seat;
  return (
    <>
      {table.ruleset.spots.filter(here).map((spot) => (
        <span class="mark" key={spot.zone}>
          {spot.icon && <Sign icon={spot.icon} />}
          <Said text={words.value.zone(spot.zone)} />
        </span>
      ))}
    </>
  );
}
