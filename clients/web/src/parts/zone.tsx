// A zone in the form that its spot declares.
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Spot } from "../api/types";
import { useTable } from "../table/context";
import { Fold } from "./fold";
import { Amount, Mark, Numbers } from "./numbers";
import { Grid, Row, Stack, type Cards } from "./piles";
import { Places } from "./places";
import { Said } from "./said";

/** A zone in the centre of the table, or one seat's entry of it. */
export function ZoneView({ spot, seat }: { spot: Spot; seat?: number }) {
  const whole = useTable().parts.zone(spot.zone);
  const value = whole && seat !== undefined ? (whole as unknown[])[seat] : whole;
  return useMemo(
    () =>
      value === undefined ? null : seat === undefined ? (
        <Central spot={spot} value={value} />
      ) : (
        <Entry spot={spot} value={value} index={seat} />
      ),
    [spot, value, seat],
  );
}

function Central({ spot, value }: { spot: Spot; value: unknown }) {
  const { words } = useTable();
  if (spot.shape === "places") return <Places spot={spot} values={value as Cards[]} />;
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
      {spot.shape === "stack" ? (
        <Stack spot={spot} cards={cards} index={index} />
      ) : (
        <Row spot={spot} cards={cards} index={index} />
      )}
    </Framed>
  );
}

// A row with companions (such as what beats each card) keeps its space when it is empty.
function hasCompanions(spot: Spot): boolean {
  const { ruleset } = useTable();
  return ruleset.spots.some((other) => other.at === spot.zone);
}

function Framed({
  spot,
  count,
  cards,
  children,
}: {
  spot: Spot;
  count: number;
  cards: Cards;
  children: ComponentChildren;
}) {
  const table = useTable();
  const label = (
    <>
      <Said text={table.words.value.zone(spot.zone)} /> <span class="count">{count}</span>
    </>
  );
  if (!spot.fold)
    return (
      <section class={`zone ${spot.shape}`} role="group" aria-label={table.words.value.zone(spot.zone).text}>
        <h3>{label}</h3>
        {children}
      </section>
    );
  const wanted = table.state.value === "over" || cards.some((card) => table.lit.value.has(`card:${card}`));
  return (
    <Fold kind={`zone ${spot.shape} fold`} open={wanted} label={label}>
      {children}
    </Fold>
  );
}
