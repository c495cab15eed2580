// Whether a finished game was fair: its record, checked by this browser.
import { useSignal, type Signal } from "@preact/signals";
import { Refused } from "../api/client";
import { t } from "../i18n";
import { checked, type Report } from "../table/checking";

/** What is known of a table's record; a text where it could not be checked. */
type Known = Report | "unasked" | "busy" | { trouble: string };

export const useCheck = (): Signal<Known> => useSignal<Known>("unasked");

export function CheckButton({ table, known }: { table: string; known: Signal<Known> }) {
  return <button type="button" data-action="check" disabled={known.value === "busy"} onClick={() => void check(table, known)}>{t("check")}</button>;
}

/** Its room is there from the start, so nothing moves when it speaks. */
export function Verdict({ known }: { known: Signal<Known> }) {
  return <p class="verdict" role="status" data-verdict={kindOf(known.value)}>{said(known.value)}</p>;
}

async function check(table: string, known: Signal<Known>): Promise<void> {
  known.value = "busy";
  try {
    known.value = await checked(table);
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
  if (finding) return finding.row === null ? t("broken", t(`fault.${finding.what}`)) : t("broken.row", finding.row, t(`fault.${finding.what}`));
  const linked = t(rows === 1 ? "rows.one" : "rows", rows);
  if (!whole) return t("fair.so-far", linked);
  return t("fair", linked, t(shuffles === 1 ? "shuffles.one" : "shuffles", shuffles), t(dice === 1 ? "dice.one" : "dice", dice));
}
