// A board of places that all see: what each seat has put where, such as its action tokens.
import type { Spot } from "../api/types";
import { useTable } from "../table/context";
import { rowsOf } from "../table/places";
import { Said } from "./said";
import { Token } from "./token";

export function Places({ spot, values }: { spot: Spot; values: readonly (readonly number[])[] }) {
  const { words } = useTable();
  return (
    <section class="zone places" aria-label={words.value.zone(spot.zone).text}>
      <h3>
        <Said text={words.value.zone(spot.zone)} />
      </h3>
      <div class="board-of-places">
        {rowsOf(spot.rows, values).map((places) => (
          <ul key={places[0]?.place}>
            {places.map(({ place, seats }) => (
              <Place key={place} zone={spot.zone} place={place} seats={seats} />
            ))}
          </ul>
        ))}
      </div>
    </section>
  );
}

function Place({ zone, place, seats }: { zone: string; place: number; seats: readonly number[] }) {
  const { words } = useTable();
  const name = words.value.value(zone, place) ?? "";
  const short = words.value.short(`${words.value.kind(zone)?.of}${place}`);
  return (
    <li class="mark" data-place={place} data-taken={seats.length > 0} title={name}>
      <span class="label" aria-hidden={short !== null || undefined}>
        {short ?? name}
      </span>
      {short !== null && <span class="visually-hidden">{name}</span>}
      {seats.map((seat) => (
        <Token key={seat} seat={seat} label={words.value.seat(seat)} />
      ))}
    </li>
  );
}
