// A zone in the shape that its spot declares: stacks, rows, hands, dice, amounts, marks; entries in rows of a grid.
import type { ComponentChildren } from "preact";
import type { Spot } from "../api/types";
import { t } from "../i18n";
import { placeKey } from "../table/choosing";
import { useTable } from "../table/context";
import type { Words } from "../table/words";
import { Card } from "./card";
import { Sign } from "./icons";
import { Said } from "./said";
import { Token } from "./token";

type Cards = readonly number[];

/** A zone in the centre of the table, or one seat's entry of it. */
export function ZoneView({ spot, seat }: { spot: Spot; seat?: number }) {
  const table = useTable();
  const value = table.view.value?.view?.zones[spot.zone] as unknown;
  if (value === undefined) return null;
  return seat === undefined ? <Central spot={spot} value={value} /> : <Entry spot={spot} value={(value as unknown[])[seat]} index={seat} />;
}

function Central({ spot, value }: { spot: Spot; value: unknown }) {
  const { words } = useTable();
  const kind = words.value.kind(spot.zone)?.kind;
  if (kind === "piles") return <Grid spot={spot} piles={value as Cards[]} />;
  if (kind === "numbers") return <Numbers spot={spot} values={value as Cards} />;
  return <Entry spot={spot} value={value} index={0} />;
}

function Entry({ spot, value, index }: { spot: Spot; value: unknown; index: number }) {
  if (spot.shape === "amount") return <Amount spot={spot} value={Number(value)} />;
  if (spot.shape === "mark") return <Mark spot={spot} value={value} index={index} />;
  const cards = value as Cards;
  const empty = !cards.length;
  if (empty && (spot.shape === "row" || spot.shape === "hand") && !hasCompanions(spot)) return null;
  return (
    <Framed spot={spot} count={cards.length} cards={cards}>
      {spot.shape === "stack" ? <Stack spot={spot} cards={cards} index={index} /> : <Row spot={spot} cards={cards} index={index} />}
    </Framed>
  );
}

// A row to which others belong (what beats each card of it) keeps its place when it is empty.
function hasCompanions(spot: Spot): boolean {
  const { ruleset } = useTable();
  return ruleset.spots.some((other) => other.at === spot.zone);
}

function Framed({ spot, count, cards, children }: { spot: Spot; count: number; cards: Cards; children: ComponentChildren }) {
  const table = useTable();
  const label = (
    <>
      <Said text={table.words.value.zone(spot.zone)} /> <span class="count">{count}</span>
    </>
  );
  if (!spot.fold) return <section class={`zone ${spot.shape}`} aria-label={table.words.value.zone(spot.zone).text}><h3>{label}</h3>{children}</section>;
  const wanted = cards.some((card) => table.lit.value.has(`card:${card}`));
  return (
    <details class={`zone ${spot.shape} fold`} open={wanted}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

function Row({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  if (cards.length && cards.every((card) => card < 0)) return <Backs spot={spot} count={cards.length} index={index} />;
  return (
    <div class="cards" data-place={`${spot.zone}:${index}`}>
      {cards.map((card, nth) => (
        <Held key={card < 0 ? `back ${nth}` : card} spot={spot} card={card} nth={nth} />
      ))}
    </div>
  );
}

// A card of a row with what lies with it.
function Held({ spot, card, nth }: { spot: Spot; card: number; nth: number }) {
  return (
    <div class="held">
      <Card card={card} placeKey={placeKey(spot.zone, nth)} />
      <Companions of={spot.zone} index={nth} />
    </div>
  );
}

function Backs({ spot, count, index }: { spot: Spot; count: number; index: number }) {
  return (
    <div class="cards backs" data-place={`${spot.zone}:${index}`} role="img" aria-label={t("cards", count)}>
      {Array.from({ length: Math.min(count, 12) }, (_, nth) => (
        <div class="card back" key={nth} />
      ))}
    </div>
  );
}

function Stack({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  const top = cards.at(-1);
  return (
    <div class="pile" data-place={`${spot.zone}:${index}`} data-deep={Math.min(3, cards.length)}>
      {top === undefined ? <Gap spot={spot} index={index} /> : <Card card={top} placeKey={placeKey(spot.zone, index)} />}
    </div>
  );
}

function Gap({ spot, index }: { spot: Spot; index: number }) {
  const table = useTable();
  const key = placeKey(spot.zone, index);
  const { words } = table;
  if (!table.lit.value.has(key)) return <div class="card gap" role="img" aria-label={t("empty")} />;
  const pressed = table.touched.value.pieces.includes(key);
  return (
    <button type="button" class="card gap lit" data-move aria-pressed={pressed} aria-label={words.value.entry(spot.zone, index)} onClick={() => table.touch(key)} />
  );
}

// --- several entries in the centre: a grid, or one row of them
function Grid({ spot, piles }: { spot: Spot; piles: readonly Cards[] }) {
  const { words } = useTable();
  const order = spot.entries?.length ? spot.entries : piles.map((_, index) => index);
  const rows = spot.rows?.length ? spot.rows : [piles.length];
  let next = 0;
  return (
    <section class="zone grid" aria-label={words.value.zone(spot.zone).text}>
      <h3><Said text={words.value.zone(spot.zone)} /></h3>
      {rows.map((length, nth) => (
        <div class={rows.every((other) => other === length) ? "line" : "line centred"} key={nth}>
          {order.slice(next, (next += length)).map((index) => (
            <Cell key={index} spot={spot} cards={piles[index] ?? []} index={index} />
          ))}
        </div>
      ))}
    </section>
  );
}

function Cell({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  return (
    <div class="cell">
      <Stack spot={spot} cards={cards} index={index} />
      {cards.length > 1 && <span class="count">×{cards.length}</span>}
      <Companions of={spot.zone} index={index} />
    </div>
  );
}

/** The entries of other zones that lie with this one's. */
export function Companions({ of, index }: { of: string; index: number }) {
  const { ruleset, view } = useTable();
  const zones = view.value?.view?.zones;
  return (
    <>
      {ruleset.spots.filter((spot) => spot.at === of).map((spot) => (
        <Companion key={spot.zone} spot={spot} value={(zones?.[spot.zone] as unknown[] | undefined)?.[index]} index={index} />
      ))}
    </>
  );
}

function Companion({ spot, value, index }: { spot: Spot; value: unknown; index: number }) {
  if (value === undefined || value === null) return null;
  if (spot.shape === "amount") return Number(value) ? <Amount spot={spot} value={Number(value)} /> : null;
  if (spot.shape === "mark") return <Mark spot={spot} value={value} index={index} short />;
  const cards = value as Cards;
  return cards.length ? <div class="upon" data-place={`${spot.zone}:${index}`}>{cards.map((card) => <Card key={card} card={card} />)}</div> : null;
}

// --- numbers
function Numbers({ spot, values }: { spot: Spot; values: Cards }) {
  const { words } = useTable();
  if (!values.length || (spot.shape === "row" && values.every((value) => value < 0))) return null;
  const label = <Said text={words.value.zone(spot.zone)} />;
  if (spot.shape === "dice") return <section class="zone dice"><h3>{label}</h3><div class="cards">{values.map((value, nth) => <Die key={nth} spot={spot} value={value} index={nth} />)}</div></section>;
  return <p class="mark"><span class="label">{label}</span> {values.map((value) => words.value.value(spot.zone, value)).filter(Boolean).join(", ")}</p>;
}

const PIPS = ["", "5", "19", "159", "1379", "13579", "134679"];

function Die({ spot, value, index }: { spot: Spot; value: number; index: number }) {
  const table = useTable();
  const key = placeKey(spot.zone, index);
  const pips = PIPS[value] ?? "";
  const face = [..."123456789"].map((spotOf) => <i key={spotOf} class={pips.includes(spotOf) ? "pip" : ""} />);
  if (!table.lit.value.has(key)) return <span class="die" role="img" aria-label={String(value)}>{face}</span>;
  const pressed = table.touched.value.pieces.includes(key);
  return <button type="button" class="die lit" data-move aria-label={String(value)} aria-pressed={pressed} onClick={() => table.touch(key)}>{face}</button>;
}

export function Amount({ spot, value }: { spot: Spot; value: number }) {
  const { words } = useTable();
  const label = words.value.zone(spot.zone);
  return (
    <span class="amount" title={label.text} data-zone={spot.zone}>
      {spot.icon && <Sign icon={spot.icon} />}
      <span class="label"><Said text={label} /></span> <b>{value}</b>
    </span>
  );
}

function Mark({ spot, value, index, short }: { spot: Spot; value: unknown; index: number; short?: boolean }) {
  const { words } = useTable();
  const said = saidOf(words.value, spot.zone, value);
  if (said === null) return null;
  const label = words.value.zone(spot.zone);
  if (short && words.value.kind(spot.zone)?.of === "seat") return <Token seat={Number(value)} label={`${label.text}: ${said}`} />;
  return (
    <span class="mark" data-zone={spot.zone} data-index={index} title={label.text}>
      {spot.icon && <Sign icon={spot.icon} />}
      {!short && <span class="label"><Said text={label} /></span>} {said}
    </span>
  );
}

// What a mark says; nothing where nothing is set.
function saidOf(words: Words, zone: string, value: unknown): string | null {
  if (typeof value === "boolean") return value ? "" : null;
  if (value === 0 && !words.kind(zone)?.of) return null;
  return several(value).map((each) => words.value(zone, each)).filter(Boolean).join(", ") || null;
}

function several(value: unknown): number[] {
  return Array.isArray(value) ? (value as number[]) : [Number(value)];
}
