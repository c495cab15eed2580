// Many offers that differ only in their arguments: one row of values for each argument.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Offer, Piece } from "../api/types";
import { t } from "../i18n";
import { facets, fitted, keyOf, sharedSum, type Facet } from "../table/choosing";
import { useTable } from "../table/context";
import type { Words } from "../table/words";
import { CardDetails } from "./card";
import { OfferButton } from "./offer";
import { Stepper } from "./stepper";

export function ManyOffers({ offers }: { offers: readonly Offer[] }) {
  const table = useTable();
  const picked = useSignal((offers.find(({ id }) => id === table.given.value?.id) ?? offers[0]!).id);
  const current = offers.find((offer) => offer.id === picked.value) ?? offers[0]!;
  const rows = facets(offers);
  const numbers = rows.filter(({ about }) => about !== null);
  const sum = sharedSum(offers, numbers);
  const pick = (row: Facet, value: number) => (picked.value = fitted(offers, current, row.position, value).id);
  useCounting(numbers, current, pick);
  return (
    <div class="facets" role="group" aria-label={table.words.value.message(current.label).text}>
      {rows.map((row) => (
        <FacetRow key={row.position} facet={row} offers={offers} current={current} pick={(value) => pick(row, value)} />
      ))}
      {sum !== null && (
        <p class="sum">
          <span>{t("total")}</span> <b>{t("needed", sum, sum)}</b>
        </p>
      )}
      <OfferButton offer={current} />
      {current.touches
        .filter((piece) => piece.kind === "card")
        .map((piece) => (
          <CardDetails key={piece.value} card={Number(piece.value)} />
        ))}
      <span class="visually-hidden" role="status">
        {table.words.value.message(current.label).text}
      </span>
    </div>
  );
}

/** Numbers assigned to slots: shown there, and increased by a touch; after the largest they start again. */
function useCounting(rows: readonly Facet[], current: Offer, pick: (row: Facet, value: number) => void): void {
  const { nudged, planned } = useTable();
  useEffect(() => {
    planned.value = new Map(rows.map((row) => [keyOf(row.about!), current.args[row.position]!]));
    return () => void (planned.value = new Map());
  }, [current.id]);
  useEffect(() => {
    const row = rows.find(({ about }) => keyOf(about!) === nudged.value);
    nudged.value = null;
    if (row) pick(row, row.values[(row.values.indexOf(current.args[row.position]!) + 1) % row.values.length]!);
  }, [nudged.value]);
}

function FacetRow({
  facet,
  offers,
  current,
  pick,
}: {
  facet: Facet;
  offers: readonly Offer[];
  current: Offer;
  pick: (value: number) => void;
}) {
  const { words } = useTable();
  const piece = (offer: Offer) => (facet.param === null ? undefined : offer.label.params?.[facet.param]);
  const meant = (value: number) => piece(offers.find((each) => each.args[facet.position] === value)!);
  const label = labelled(words.value, facet, current);
  const said = piece(current);
  if (said?.kind === "number")
    return (
      <Stepper
        label={label}
        value={current.args[facet.position]!}
        said={Number(said.value)}
        values={facet.values}
        pick={pick}
      />
    );
  return (
    <div class="facet" role="group" aria-label={label}>
      <span class="label">{label}</span>
      {facet.values.map((value) => (
        <Value
          key={value}
          value={value}
          piece={meant(value)}
          pressed={current.args[facet.position] === value}
          pick={pick}
        />
      ))}
    </div>
  );
}

type ValueProps = { value: number; piece: Piece | undefined; pressed: boolean; pick: (value: number) => void };

/** A value, as the offer's text shows it. */
function Value({ value, piece, pressed, pick }: ValueProps) {
  const { words } = useTable();
  return (
    <button
      type="button"
      class="member"
      data-move
      data-peek={piece?.kind === "card" ? piece.value : undefined}
      aria-pressed={pressed}
      onClick={() => pick(value)}
    >
      {piece ? words.value.argument(piece).text : String(value)}
    </button>
  );
}

/** Return the name of an argument: the slot that its number is for, the title's own word, or the kind of piece. */
function labelled(words: Words, { about, param, position }: Facet, { verb, label }: Offer): string {
  if (about) return words.argument(about).text;
  const own = `arg.${verb}.${position}`;
  if (words.has(own)) return words.text(own).text;
  const kind = (param === null ? null : label.params?.[param]?.kind) ?? "number";
  return t(`kind.${kind === "cards" ? "card" : kind}`);
}
