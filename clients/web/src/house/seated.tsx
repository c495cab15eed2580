// The players of a listed table, and its free seats.
import type { LobbyTable } from "../api/types";
import { nameOf } from "../catalogue";
import { t } from "../i18n";
import { Person } from "../parts/person";
import { w } from "./words";

type Props = { table: Pick<LobbyTable, "seats">; places?: readonly number[] | null; linked?: boolean };

/** places: the rank of each seat of a finished game; the winner comes first. linked: false inside a link. */
export function Seated({ table, places, linked = true }: Props) {
  return (
    <span class="seated">
      {ranked(table.seats, places).map(({ seat, player, bot }) => (
        <span key={seat} class={player || bot ? "tag" : "tag free"} data-won={places?.[seat] === 1 || undefined}>
          {places && <b>{t("place", places[seat]!)} </b>}
          {player ? linked ? <Person id={player} /> : nameOf(player) : bot ? w("bot") : t("free")}
        </span>
      ))}
    </span>
  );
}

function ranked(seats: Props["table"]["seats"], ranks: Props["places"]): Props["table"]["seats"] {
  return ranks ? [...seats].sort((a, b) => ranks[a.seat]! - ranks[b.seat]!) : seats;
}
