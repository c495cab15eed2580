// Facts as lines of the log. What is told of the seat under whose name a line stands does not name it again.
import type { Fact, SlotBody } from "../api/types";
import { t } from "../i18n";
import { latest, summed, type FactOf } from "./gathering";
import type { Text, Words } from "./words";

/** Facts that are alike, in one line; null if they are of nothing that is shown. */
export function told(facts: readonly Fact[], seat: number, words: Words): Text | null {
  const first = facts[0]!;
  switch (first.type) {
    case "moved": return moved(facts as FactOf<"moved">[], seat, words);
    case "counted": return counted(facts as FactOf<"counted">[], seat, words);
    case "became": return listed(latest(facts as FactOf<"became">[]).map((fact) => became(fact, seat, words)));
    case "rolled": return { text: t("log.rolled", words.slot(first.slot, seat), rolled(facts as FactOf<"rolled">[], words)) };
    case "shuffled": return { text: t("log.shuffled", words.slot(first.slot, seat)) };
    case "revealed": return shown("log.revealed", (facts as FactOf<"revealed">[]).flatMap(({ cards }) => cards), words);
    case "uncovered": return shown("log.uncovered", (facts as FactOf<"uncovered">[]).map(({ card }) => card), words);
    case "told": case "admitted": return words.message(first.message);
    default: return null;
  }
}

function moved(facts: readonly FactOf<"moved">[], seat: number, words: Words): Text | null {
  const { src, dst } = facts[0]!;
  if (!worthTelling(src, dst, words)) return null;
  return { text: t("log.moved", words.list(facts.flatMap(({ cards }) => cards)), words.slot(src, seat), words.slot(dst, seat)) };
}

function worthTelling(src: SlotBody, dst: SlotBody, words: Words): boolean {
  const same = src.zone === dst.zone && words.owner(src) === words.owner(dst);
  return !same && (words.shown(src) || words.shown(dst));
}

function counted(facts: readonly FactOf<"counted">[], seat: number, words: Words): Text | null {
  const owner = words.owner(facts[0]!.slot);
  const sums = summed(facts).filter(({ slot }) => words.shown(slot));
  const said = listed(sums.map(({ slot, by }) => t("log.counted", words.slot(slot, owner ?? seat), signed(by))));
  return said && owner !== null && owner !== seat ? { text: t("log.of", words.seat(owner), said.text) } : said;
}

function became({ slot, value }: FactOf<"became">, seat: number, words: Words): string | null {
  const spot = words.spot(slot.zone);
  if (typeof value !== "number" || (spot?.at !== "centre" && spot?.at !== "seat")) return null;
  if (spot.shape === "standing") return value ? t("log.finished", words.seat(slot.index ?? 0), value) : null;
  const said = words.value(slot.zone, value);
  return said && t("log.became", words.slot(slot, seat), said);
}

function rolled(facts: readonly FactOf<"rolled">[], words: Words): string {
  return facts.map(({ slot, value }) => words.value(slot.zone, value) ?? "–").join(", ");
}

function shown(word: "log.revealed" | "log.uncovered", cards: readonly number[], words: Words): Text | null {
  return cards.some((card) => card >= 0) ? { text: t(word, words.list(cards)) } : null;
}

function listed(parts: readonly (string | null)[]): Text | null {
  const said = parts.filter((part) => part !== null);
  return said.length ? { text: said.join(", ") } : null;
}

function signed(n: number): string {
  return n > 0 ? `+${n}` : String(n).replace("-", "−");
}
