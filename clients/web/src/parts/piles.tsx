// Zones of cards: rows, stacks, and grids of stacks.
import type { Spot } from "../api/types";
import { counted, t } from "../i18n";
import { covered } from "../streaming";
import { alike, grouped } from "../table/alike";
import { cardKey, slotKey } from "../table/choosing";
import { useTable } from "../table/context";
import { Card } from "./card";
import { Lit } from "./lit";
import { Amount, Mark } from "./numbers";
import { Said } from "./said";

export type Cards = readonly number[];

export function Row({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  const { words } = useTable();
  const own = words.value.kind(spot.zone)?.sight.startsWith("owner");
  if (cards.length && ((own && covered.value) || cards.every((card) => card < 0)))
    return <Backs spot={spot} count={cards.length} index={index} />;
  return (
    <div class="cards" data-slot={`${spot.zone}:${index}`}>
      {spot.groups.length > 0 ? (
        <Sorted spot={spot} cards={cards} />
      ) : spot.at === "seat" && spot.shape === "row" ? (
        <Groups cards={cards} />
      ) : (
        cards.map((card, nth) => <Held key={card < 0 ? `back ${nth}` : card} spot={spot} card={card} nth={nth} />)
      )}
    </div>
  );
}

// In the title's order: a group for each value of the first printed fact, sorted by the others.
function Sorted({ spot, cards }: { spot: Spot; cards: Cards }) {
  const { words } = useTable();
  const [first = "", ...others] = spot.groups;
  const groups = grouped(cards, (card) => words.value.cardBody(card)?.facts ?? {}, first, others);
  return (
    <>
      {groups.map(([word, members]) => (
        <div class="sort" key={word} role="group" aria-label={words.value.printed(first, word)}>
          <span class="label">{words.value.printed(first, word)}</span>
          <Groups cards={members} />
        </div>
      ))}
    </>
  );
}

// At a seat, equal cards are stacked; selectable ones stay separate.
function Groups({ cards }: { cards: Cards }) {
  const { lit, words } = useTable();
  const likeness = (card: number) =>
    lit.value.has(cardKey(card)) ? null : (words.value.cardBody(card)?.kind ?? "back");
  return (
    <>
      {alike(cards, likeness).map((group) => (
        <div class="held" key={group[0]}>
          <Card card={group[0]!} />
          <Times count={group.length} />
        </div>
      ))}
    </>
  );
}

function Times({ count }: { count: number }) {
  return count > 1 ? <span class="count">×{count}</span> : null;
}

// A card of a row with its companions; room is reserved if other cards can be placed there.
function Held({ spot, card, nth }: { spot: Spot; card: number; nth: number }) {
  const { ruleset } = useTable();
  const paired = ruleset.spots.some(({ at, shape }) => at === spot.zone && shape === "row");
  return (
    <div class={paired ? "held pair" : "held"}>
      <Card card={card} slotKey={slotKey(spot.zone, nth)} />
      <Companions of={spot.zone} index={nth} />
    </div>
  );
}

function Backs({ spot, count, index }: { spot: Spot; count: number; index: number }) {
  return (
    <div class="cards backs" data-slot={`${spot.zone}:${index}`} role="img" aria-label={counted("cards", count)}>
      {Array.from({ length: Math.min(count, 12) }, (_, nth) => (
        <div class="card back" key={nth} />
      ))}
    </div>
  );
}

export function Stack({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  const top = cards.at(-1);
  return (
    <div class="pile" data-slot={`${spot.zone}:${index}`} data-deep={Math.min(3, cards.length)}>
      {top === undefined ? <Gap spot={spot} index={index} /> : <Card card={top} slotKey={slotKey(spot.zone, index)} />}
    </div>
  );
}

function Gap({ spot, index }: { spot: Spot; index: number }) {
  const table = useTable();
  const key = slotKey(spot.zone, index);
  const { words } = table;
  if (!table.lit.value.has(key)) return <div class="card gap" role="img" aria-label={t("empty")} />;
  return <Lit touch={key} class="card gap" aria-label={words.value.entry(spot.zone, index)} />;
}

// --- several entries in the centre: a grid or one row
export function Grid({ spot, piles }: { spot: Spot; piles: readonly Cards[] }) {
  const { words } = useTable();
  const order = spot.entries?.length ? spot.entries : piles.map((_, index) => index);
  const rows = spot.rows?.length ? spot.rows : [piles.length];
  let next = 0;
  return (
    <section class="zone grid" role="group" aria-label={words.value.zone(spot.zone).text}>
      <h3>
        <Said text={words.value.zone(spot.zone)} />
      </h3>
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
      <Times count={cards.length} />
      <Companions of={spot.zone} index={index} />
    </div>
  );
}

/** The entries of other zones that belong to this entry. */
export function Companions({ of, index, without = [] }: { of: string; index: number; without?: readonly string[] }) {
  const table = useTable();
  return (
    <>
      {table.ruleset.spots
        .filter((spot) => spot.at === of && !without.includes(spot.zone))
        .map((spot) => (
          <Companion
            key={spot.zone}
            spot={spot}
            value={(table.parts.zone(spot.zone) as unknown[] | undefined)?.[index]}
            index={index}
          />
        ))}
    </>
  );
}

function Companion({ spot, value, index }: { spot: Spot; value: unknown; index: number }) {
  if (value === undefined || value === null) return null;
  if (spot.shape === "amount") return Number(value) ? <Amount spot={spot} value={Number(value)} /> : null;
  if (spot.shape === "mark") return <Mark spot={spot} value={value} index={index} short />;
  return <Upon spot={spot} cards={value as Cards} index={index} />;
}

// The companions of a card. On a space, and outside of rows, nothing is shown without any.
function Upon({ spot, cards, index }: { spot: Spot; cards: Cards; index: number }) {
  const { words } = useTable();
  const awaited = !cards.length && words.value.spot(spot.at)?.shape === "row";
  if (!cards.length && !awaited) return null;
  return (
    <div class="upon" data-slot={`${spot.zone}:${index}`}>
      {awaited && <div class="card gap" role="img" aria-label={`${words.value.zone(spot.zone).text}: ${t("empty")}`} />}
      {cards.map((card) => (
        <Card key={card} card={card} />
      ))}
    </div>
  );
}
