// The pieces of the table on the page, as notes refer to them.
import type { Pointed } from "../api/types";

const PIECES = ".felt [data-card], .felt [data-slot], .felt .seat[data-seat]";

export function pieceAt(target: EventTarget | null): Pointed | null {
  const found = target instanceof Element ? target.closest<HTMLElement>(PIECES) : null;
  if (!found) return null;
  const { card, slot, seat } = found.dataset;
  if (card !== undefined) return { kind: "card", value: Number(card) };
  if (slot === undefined) return { kind: "seat", value: Number(seat) };
  const [zone, index] = slot.split(":") as [string, string];
  return { kind: "slot", zone, value: Number(index) };
}

export function elementOf({ kind, value, zone }: Pointed): Element | null {
  if (kind === "seat") return document.querySelector(`.felt .seat[data-seat="${value}"] .seat-head`);
  return document.querySelector(
    kind === "card" ? `.felt [data-card="${value}"]` : `.felt [data-slot="${CSS.escape(zone ?? "")}:${value}"]`,
  );
}

/** Make all pieces reachable by keyboard until the returned function is called. */
export function reachable(): () => void {
  const made = [...document.querySelectorAll<HTMLElement>(PIECES)].filter(
    (piece) => piece.tabIndex < 0 && !piece.querySelector("button"),
  );
  for (const piece of made) piece.tabIndex = 0;
  return () => made.forEach((piece) => void piece.removeAttribute("tabindex"));
}
