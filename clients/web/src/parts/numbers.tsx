// Zones of numbers: dice, amounts, and marks, which show only if they are set.
import type { Spot } from "../api/types";
import { slotKey } from "../table/choosing";
import { namedColour } from "../table/colours";
import { useTable } from "../table/context";
import type { Words } from "../table/words";
import { Sign } from "./icons";
import { Lit } from "./lit";
import { Said } from "./said";
import { Token } from "./token";

export function Numbers({ spot, values }: { spot: Spot; values: readonly number[] }) {
  const { words } = useTable();
  if (!values.length || (spot.shape === "row" && values.every((value) => value < 0))) return null;
  const label = <Said text={words.value.zone(spot.zone)} />;
  if (spot.shape === "dice")
    return (
      <section class="zone dice">
        <h3>{label}</h3>
        <div class="cards">
          {values.map((value, nth) => (
            <Die key={nth} spot={spot} value={value} index={nth} />
          ))}
        </div>
      </section>
    );
  const said = values
    .map((value) => words.value.value(spot.zone, value))
    .filter(Boolean)
    .join(", ");
  if (words.value.kind(spot.zone)?.of === "seat")
    return (
      <p class="mark" title={words.value.zone(spot.zone).text}>
        <span class="label">{label}</span> <Seats seats={values} />
      </p>
    );
  if (spot.fold)
    return (
      <details class="mark fold">
        <summary>{label}</summary>
        {said}
      </details>
    );
  return (
    <p class="mark">
      <span class="label">{label}</span> {said}
    </p>
  );
}

function Seats({ seats }: { seats: readonly number[] }) {
  const { words } = useTable();
  return (
    <>
      {seats
        .filter((seat) => seat >= 0)
        .map((seat) => (
          <Token key={seat} seat={seat} label={words.value.seat(seat)} />
        ))}
    </>
  );
}

const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"];

function Die({ spot, value, index }: { spot: Spot; value: number; index: number }) {
  const table = useTable();
  const key = slotKey(spot.zone, index);
  const pips = PIPS[value] ?? "";
  const face = [..."123456789"].map((spotOf) => <i key={spotOf} class={pips.includes(spotOf) ? "pip" : ""} />);
  if (!table.lit.value.has(key))
    return (
      <span class="die" role="img" aria-label={String(value)}>
        {face}
      </span>
    );
  return (
    <Lit touch={key} class="die" aria-label={String(value)}>
      {face}
    </Lit>
  );
}

export function Amount({ spot, value }: { spot: Spot; value: number }) {
  const { words } = useTable();
  const label = words.value.zone(spot.zone);
  return (
    <span class="amount" title={label.text} data-zone={spot.zone}>
      {spot.icon && <Sign icon={spot.icon} />}
      <span class="label spoken">
        <Said text={label} />
      </span>{" "}
      <b>{value}</b>
    </span>
  );
}

/** The number of a seat's units on a space, under the seat's sign. */
export function Force({ spot, value, seat }: { spot: Spot; value: number; seat: number }) {
  const { words } = useTable();
  const label = words.value.zone(spot.zone).text;
  return (
    <span class="force" title={label} data-zone={spot.zone} data-seat-colour={seat}>
      <Token seat={seat} label={words.value.seat(seat)} /> <span class="visually-hidden">{label}</span> <b>{value}</b>
    </span>
  );
}

/** A seat's marker on a space; an icon is added if there are several kinds. */
function Disc({ spot, seat, label }: { spot: Spot; seat: number; label: string }) {
  return spot.icon ? (
    <span class="disc">
      <Sign icon={spot.icon} />
      <Token seat={seat} label={label} />
    </span>
  ) : (
    <Token seat={seat} label={label} />
  );
}

export function Mark({ spot, value, index, short }: { spot: Spot; value: unknown; index: number; short?: boolean }) {
  const { words } = useTable();
  const said = saidOf(words.value, spot.zone, value);
  if (said === null) return null;
  const label = words.value.zone(spot.zone);
  if (short && words.value.kind(spot.zone)?.of === "seat")
    return <Disc spot={spot} seat={Number(value)} label={`${label.text}: ${said}`} />;
  return (
    <span class="mark" data-zone={spot.zone} data-index={index} title={short ? `${label.text}: ${said}` : label.text}>
      {spot.icon && <Sign icon={spot.icon} />}
      {short ? (
        <Swatch zone={spot.zone} value={Number(value)} />
      ) : (
        <span class="label">
          <Said text={label} />
        </span>
      )}{" "}
      <span class="said spoken">{said}</span>
    </span>
  );
}

/** A spot in the colour that the value names, with the text next to it or its first letter inside. */
function Swatch({ zone, value }: { zone: string; value: number }) {
  const { words } = useTable();
  const tint = namedColour(words.value.english(zone, value));
  return tint && <i class="swatch" style={tint} data-initial={words.value.value(zone, value)?.slice(0, 1)} />;
}

// Return the text of a mark; null if it is not set.
function saidOf(words: Words, zone: string, value: unknown): string | null {
  if (typeof value === "boolean") return value ? "" : null;
  if (value === 0 && !words.kind(zone)?.of) return null;
  return (
    several(value)
      .map((each) => words.value(zone, each))
      .filter(Boolean)
      .join(", ") || null
  );
}

function several(value: unknown): number[] {
  return [value].flat(2).map(Number);
}
