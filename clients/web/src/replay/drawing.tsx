// Draws arrows of a note from piece to piece, by pointer or keyboard; choosing a piece twice circles it.
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Arrow, Piece, Pointed } from "../api/types";
import { useTable } from "../table/context";
import { pieceAt, reachable } from "./pieces";
import { w } from "./words";

const MOST = 16;

export function Drawing({ arrows, keep }: { arrows: readonly Arrow[]; keep: (arrows: readonly Arrow[]) => void }) {
  const on = useSignal(false);
  const first = useSignal<Pointed | null>(null);
  const named = useNamed();
  const chosen = (piece: Pointed) => {
    if (!first.value) return void (first.value = piece);
    keep([...arrows, { start: first.value, end: same(first.value, piece) ? null : piece }]);
    first.value = null;
  };
  useLayoutEffect(() => (on.value ? choosing(chosen, () => (on.value = false)) : undefined), [on.value, arrows]);
  return (
    <div class="drawing">
      <button
        type="button"
        data-action="draw"
        aria-pressed={on.value}
        disabled={!on.value && arrows.length >= MOST}
        onClick={() => ([on.value, first.value] = [!on.value, null])}
      >
        {w("draw")}
      </button>
      {on.value && <p role="status">{first.value ? w("draw.end", named(first.value)) : w("draw.start")}</p>}
      {arrows.length > 0 && (
        <ul aria-label={w("arrows")}>
          {arrows.map((arrow, nth) => (
            <li key={nth}>
              <span data-arrow={nth}>
                {arrow.end ? w("arrow", named(arrow.start), named(arrow.end)) : w("circle", named(arrow.start))}
              </span>
              <button
                type="button"
                class="quiet"
                data-action="rub-out"
                onClick={() => keep(arrows.filter((other) => other !== arrow))}
              >
                {w("arrow.delete")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Return a function that names the targets of arrows. */
export function useNamed(): (piece: Pointed) => string {
  const { words } = useTable();
  return ({ kind, value, zone }) => words.value.argument({ kind, value, zone: zone ?? undefined } as Piece).text;
}

function same(one: Pointed, other: Pointed): boolean {
  return one.kind === other.kind && one.value === other.value && (one.zone ?? null) === (other.zone ?? null);
}

// While this is active, clicks on pieces have no other effect.
function choosing(chosen: (piece: Pointed) => void, done: () => void): () => void {
  const take = (event: Event) => {
    const piece = pieceAt(event.target);
    if (!piece) return;
    event.preventDefault();
    event.stopPropagation();
    chosen(piece);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Escape") done();
    else if (event.key === "Enter") take(event);
  };
  const unreachable = reachable();
  const felt = document.querySelector(".felt");
  felt?.setAttribute("data-drawing", "");
  document.addEventListener("click", take, true);
  document.addEventListener("keydown", pressed, true);
  return () => {
    unreachable();
    felt?.removeAttribute("data-drawing");
    document.removeEventListener("click", take, true);
    document.removeEventListener("keydown", pressed, true);
  };
}
