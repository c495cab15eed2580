// A seat: who sits there, whether it is their turn, what lies before them.
import type { Spot } from "../api/types";
import { t } from "../i18n";
import { seatKey } from "../table/choosing";
import { useTable } from "../table/context";
import { Sign } from "./icons";
import { Said } from "./said";
import { ZoneView } from "./zone";

const LETTERS = "ABCDEFGH";

export function SeatView({ seat, own }: { seat: number; own: boolean }) {
  const { ruleset, view, words } = useTable();
  const game = view.value?.view;
  const spots = ruleset.spots.filter((spot) => spot.at === "seat" && words.value.kind(spot.zone)?.kind !== "number");
  const small = spots.filter((spot) => spot.shape === "amount" || spot.shape === "mark");
  const large = spots.filter((spot) => !small.includes(spot));
  return (
    <section class={own ? "seat own" : "seat"} data-seat={seat} data-turn={game?.turn === seat} aria-label={words.value.seat(seat)}>
      <SeatName seat={seat} own={own} />
      <div class="amounts">
        <Roles seat={seat} />
        {small.map((spot) => <ZoneView key={spot.zone} spot={spot} seat={seat} />)}
      </div>
      <div class="zones">{large.map((spot) => <ZoneView key={spot.zone} spot={spot} seat={seat} />)}</div>
    </section>
  );
}

function SeatName({ seat, own }: { seat: number; own: boolean }) {
  const table = useTable();
  const game = table.view.value?.view;
  const name = (
    <>
      <span class="token" data-seat-colour={seat} aria-hidden="true">{LETTERS[seat]}</span>
      <span class="who">{table.words.value.seat(seat)}</span>
      {own && <span class="tag">{t("you")}</span>}
      {game && !game.outcome && game.turn === seat && <span class="tag turn">{t("turn")}</span>}
      {game?.asked.includes(seat) && !own && <span class="tag asked">{t("asked")}</span>}
    </>
  );
  const key = seatKey(seat);
  if (!table.lit.value.has(key)) return <h2 class="seat-name">{name}</h2>;
  const pressed = table.touched.value.pieces.includes(key);
  return <h2 class="seat-name"><button type="button" class="lit" data-move aria-pressed={pressed} onClick={() => table.touch(key)}>{name}</button></h2>;
}

/** Marks that are one number naming a seat: attacker, first player. */
function Roles({ seat }: { seat: number }) {
  const { ruleset, view, words } = useTable();
  const zones = view.value?.view?.zones ?? {};
  const here = (spot: Spot) => spot.at === "seat" && words.value.kind(spot.zone)?.kind === "number" && zones[spot.zone] === seat;
  return (
    <>
      {ruleset.spots.filter(here).map((spot) => (
        <span class="mark" key={spot.zone}>
          {spot.icon && <Sign icon={spot.icon} />}
          <Said text={words.value.zone(spot.zone)} />
        </span>
      ))}
    </>
  );
}
