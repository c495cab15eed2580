// Closes an unfolded menu when the user turns to something else.
import type { Signal } from "@preact/signals";

/** Close on Escape, and on a press or focus outside. `inside`: selects the menu and its button; `button`: the button. */
export function closedFromElsewhere(open: Signal<boolean>, inside: string, button: string): () => void {
  const heard = new AbortController();
  const close = (event: Event) => {
    const place = event.target instanceof Element && event.target.closest(inside);
    const escapes = event instanceof KeyboardEvent && event.key === "Escape";
    if (escapes && place) place.querySelector<HTMLElement>(button)!.focus();
    if (event instanceof KeyboardEvent ? escapes : !place) open.value = false;
  };
  for (const type of ["keydown", "pointerdown", "focusin"]) addEventListener(type, close, { signal: heard.signal });
  return () => heard.abort();
}
