// One offer as a button, and the button that goes back.
import { useSignal } from "@preact/signals";
import type { Offer } from "../api/types";
import { t } from "../i18n";
import { begun, settledAction } from "../table/choosing";
import { asksTwice } from "../table/care";
import { useTable } from "../table/context";
import type { Place } from "../table/distinct";
import { Said } from "./said";

type Shown = { offer: Offer; place?: Place | null | undefined; shortcut?: string | undefined };

/** place: shown if another offer has the same text. */
export function OfferButton({ offer, place, shortcut }: Shown) {
  const table = useTable();
  const given = table.given.value;
  const isGiven = given?.id === offer.id;
  const asked = useSignal(false);
  const settled = settledAction(offer);
  const act = () => {
    if (isGiven && settled) return;
    if (!settled) table.touched.value = begun(offer, table.touched.value.pieces);
    else if (asked.value || !asksTwice(table.body)) void table.send(settled);
    else asked.value = true;
  };
  return (
    <button
      type="button"
      class="offer"
      data-move
      data-offer={offer.id}
      data-sends={settled !== null}
      data-peek={cardOf(offer)}
      data-asked={asked.value || undefined}
      aria-pressed={given ? isGiven : undefined}
      aria-keyshortcuts={shortcut}
      onClick={act}
      onBlur={() => (asked.value = false)}
    >
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
      <span>
        {asked.value && <b>{t("once-more")} </b>}
        {given && <b>{t(isGiven ? "your-answer" : "change-to")} </b>}
        <Said text={table.words.value.message(offer.label)} />
        {place && ` (${table.words.value.at(place.zone, place.index)})`}
        {settled ? "" : " …"}
      </span>
    </button>
  );
}

/** Return the card that an offer is about, which is enlarged on hover. */
export function cardOf({ touches }: Offer): number | undefined {
  const card = touches.find(({ kind }) => kind === "card");
  return card && Number(card.value);
}

export function Cancel() {
  const table = useTable();
  return (
    <button type="button" class="quiet" data-action="cancel" onClick={() => table.letGo()}>
      {t("cancel")}
    </button>
  );
}
