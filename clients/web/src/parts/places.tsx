// A shared board of spaces on which the seats put things, such as action tokens.
import type { Spot } from "../api/types";
import { placeKey } from "../table/choosing";
import { useTable } from "../table/context";
import { rowsOf } from "../table/places";
import { Lit } from "./lit";
import { Said } from "./said";
import { Token } from "./token";

export function Places({ spot, values }: { spot: Spot; values: readonly (readonly number[])[] }) {
  const { words } = useTable();
  return (
    <section class="zone places" role="group" aria-label={words.value.zone(spot.zone).text}>
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
  const table = useTable();
  const { words } = table;
  const id = `${words.value.kind(zone)?.of}${place}`;
  const key = placeKey(id);
  const name = words.value.value(zone, place) ?? "";
  const short = words.value.short(id);
  const label = (
    <>
      <span class="label" aria-hidden={short !== null || undefined}>
        {short ?? name}
      </span>
      {short !== null && <span class="visually-hidden">{name}</span>}
    </>
  );
  return (
    <li class="mark" data-place={place} data-taken={seats.length > 0} title={name}>
      {table.lit.value.has(key) ? <Lit touch={key}>{label}</Lit> : label}
      {seats.map((seat) => (
        <Token key={seat} seat={seat} label={words.value.seat(seat)} />
      ))}
    </li>
  );
}
