// One offer as a button, and the way back from it.
import { useSignal } from "@preact/signals";
import type { Offer } from "../api/types";
import { t } from "../i18n";
import { begun, settledAction } from "../table/choosing";
import { asksTwice } from "../table/care";
import { useTable } from "../table/context";
import { Said } from "./said";

export function OfferButton({ offer, shortcut }: { offer: Offer; shortcut?: string | undefined }) {
  const table = useTable();
  const asked = useSignal(false);
  const settled = settledAction(offer);
  const act = () => {
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
      aria-keyshortcuts={shortcut}
      onClick={act}
      onBlur={() => (asked.value = false)}
    >
      {shortcut && <kbd aria-hidden="true">{shortcut}</kbd>}
      <span>
        {asked.value && <b>{t("once-more")} </b>}
        <Said text={table.words.value.message(offer.label)} />
        {settled ? "" : " …"}
      </span>
    </button>
  );
}

/** The card that an offer is about, which is shown large where one points at it. */
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
