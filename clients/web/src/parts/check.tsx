// Verifies in this browser that a finished game was fair.
import { useSignal, type Signal } from "@preact/signals";
import { Refused } from "../api/client";
import type { TableView } from "../api/types";
import { counted, t } from "../i18n";
import { checked, type Finding, type Report } from "../table/checking";

/** The result for a table's record; `trouble` tells why it could not be checked. */
type Known = Report | "unasked" | "busy" | { trouble: string };

export const useCheck = (): Signal<Known> => useSignal<Known>("unasked");

export function CheckButton({ seen, known }: { seen: TableView; known: Signal<Known> }) {
  const busy = known.value === "busy";
  return (
    <button type="button" data-action="check" disabled={busy} onClick={() => void check(seen, known)}>
      {t("check")}
    </button>
  );
}

/** The result. Its space is reserved from the start, so that nothing moves. */
export function Verdict({ known }: { known: Signal<Known> }) {
  return (
    <p class="verdict" role="status" data-verdict={kindOf(known.value)}>
      {said(known.value)}
    </p>
  );
}

async function check(seen: TableView, known: Signal<Known>): Promise<void> {
  known.value = "busy";
  try {
    known.value = await checked(seen);
  } catch (error) {
    known.value = { trouble: error instanceof Refused ? error.problem.title : t("problem") };
  }
}

function kindOf(known: Known): string {
  if (typeof known === "string") return known;
  return "trouble" in known ? "trouble" : known.finding ? "broken" : "holds";
}

function said(known: Known): string {
  if (known === "unasked") return t("check.about");
  if (known === "busy") return t("check.busy");
  if ("trouble" in known) return known.trouble;
  const { rows, shuffles, dice, finding, whole } = known;
  if (finding) return fault(finding);
  const linked = counted("rows", rows);
  if (!whole) return t("fair.so-far", linked);
  return t("fair", linked, counted("shuffles", shuffles), counted("dice", dice));
}

function fault({ row, what }: Finding): string {
  const why = t(`fault.${what}`);
  return row === null ? t("broken", why) : t("broken.row", row, why);
}
