// Keys: left and right for a step, with shift for a turn, Home and End, space to play. Not while a form control has the focus.
import { useLayoutEffect } from "preact/hooks";
import type { Projector } from "./projector";

export function useKeys(projector: Projector): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || taken(event)) return;
      const deed = deedOf(projector, event);
      if (!deed) return;
      event.preventDefault();
      deed();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [projector]);
}

function deedOf(projector: Projector, { key, shiftKey }: KeyboardEvent): (() => void) | null {
  switch (key) {
    case "ArrowRight":
      return () => projector.step(1, shiftKey ? "turn" : projector.unit.value);
    case "ArrowLeft":
      return () => projector.step(-1, shiftKey ? "turn" : projector.unit.value);
    case "Home":
      return () => projector.jump(0);
    case "End":
      return () => projector.jump(projector.film.value.last);
    case " ":
      return () => projector.toggle();
    case "Escape":
      return () => (projector.table.detail.value = null);
    default:
      return null;
  }
}

function taken({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return true;
  return key === " " && target instanceof Element && target.closest("button, summary, a") !== null;
}
