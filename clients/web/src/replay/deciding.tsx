// The offers that a seat had, and its choice; and the state of all seats.
import type { Decision, Offer } from "../api/types";
import { Fold } from "../parts/fold";
import { Said } from "../parts/said";
import { Token } from "../parts/token";
import { useTable } from "../table/context";
import { narrow } from "../table/screen";
import { useProjector } from "./context";
import { pending, waited } from "./moments";
import { span } from "./time";
import { w } from "./words";

const MANY = 8;

export function Deciding() {
  const { film, nth } = useProjector();
  const found = pending(film.value, nth.value);
  return (
    <section class="choosing deciding" data-asked={found !== null}>
      <Points points={film.value.frame(nth.value).points} />
      {found && <Decided decision={found.decision} took={waited(film.value, found.nth)} />}
    </section>
  );
}

function Points({ points }: { points: readonly number[] }) {
  const { words } = useTable();
  if (!points.length) return null;
  return (
    <ul class="points" aria-label={w("points")}>
      {points.map((sum, seat) => (
        <li key={seat}>
          <Token seat={seat} label={words.value.seat(seat)} />
          <b>{sum}</b>
        </li>
      ))}
    </ul>
  );
}

function Decided({ decision, took }: { decision: Decision; took: number }) {
  const { words } = useTable();
  const { seat, prompt, offers, action } = decision;
  const chosen = offers.find(({ id }) => id === action.id);
  const others = offers.filter((offer) => offer !== chosen);
  return (
    <details class="decided" data-decision={seat} open={!narrow.value}>
      <summary>
        <Token seat={seat} /> <span class="who">{w("decision", words.value.seat(seat))}</span>{" "}
        <Said text={words.value.message(prompt)} />
      </summary>
      <ul class="offers">
        {chosen && <OfferLine offer={chosen} subset={action.subset ?? []} took={took} chosen />}
        {others.slice(0, MANY).map((offer) => (
          <OfferLine key={offer.id} offer={offer} />
        ))}
      </ul>
      {others.length > MANY && (
        <Fold kind="others-offered" label={w("more", others.length - MANY)}>
          <ul class="offers">
            {others.slice(MANY).map((offer) => (
              <OfferLine key={offer.id} offer={offer} />
            ))}
          </ul>
        </Fold>
      )}
    </details>
  );
}

function OfferLine({
  offer,
  subset = [],
  took = 0,
  chosen = false,
}: {
  offer: Offer;
  subset?: readonly number[];
  took?: number;
  chosen?: boolean;
}) {
  const { words } = useTable();
  const kind = offer.subset?.kind;
  const members = subset.length && kind ? words.value.members(kind, subset) : "";
  return (
    <li class="offered" data-chosen={chosen}>
      <span>
        <Said text={words.value.message(offer.label)} />
        {members && `: ${members}`}
      </span>
      {chosen && (
        <span class="tag turn">
          {w("chosen")}
          {took >= 1000 && ` ${w("after", span(took))}`}
        </span>
      )}
    </li>
  );
}
