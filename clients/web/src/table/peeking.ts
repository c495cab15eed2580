// Detects the hovered card: under a resting mouse, a long touch, or with the keyboard focus.
export type Peeked = { card: number; at: DOMRect };

const REST_MS = 300;
const HOLD_MS = 450;
const SLIP = 12;

/** Report the hovered card, or null; returns a function that stops this. */
export function peeking(tell: (peeked: Peeked | null) => void): () => void {
  const heard = new AbortController();
  let wait = 0;
  let from: { x: number; y: number } | null = null;
  let held = false;
  const stop = () => clearTimeout(wait);
  const soon = (element: HTMLElement, ms: number, then = () => {}) => {
    stop();
    wait = setTimeout(() => element.isConnected && (then(), tell(seen(element))), ms);
  };
  const on = <E extends keyof DocumentEventMap>(type: E, act: (event: DocumentEventMap[E]) => void) =>
    document.addEventListener(type, act, { signal: heard.signal, capture: true });

  on("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const element = peekable(event.target);
    if (element) return soon(element, REST_MS);
    stop();
    tell(null);
  });
  on("pointerdown", (event) => {
    stop();
    tell(null);
    held = false;
    const element = event.pointerType === "mouse" ? null : peekable(event.target);
    from = { x: event.clientX, y: event.clientY };
    if (element) soon(element, HOLD_MS, () => (held = true));
  });
  on("pointermove", (event) => {
    if (event.pointerType !== "mouse" && from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIP)
      stop();
  });
  on("pointerup", (event) => void (event.pointerType !== "mouse" && stop()));
  on("pointercancel", stop);
  on("contextmenu", (event) => void (held && event.preventDefault()));
  // The touch that enlarged a card does not choose it.
  on("click", (event) => {
    if (!held) return;
    held = false;
    event.preventDefault();
    event.stopPropagation();
  });
  on("focusin", (event) => {
    const element = peekable(event.target);
    if (element?.matches(":focus-visible")) tell(seen(element));
  });
  on("focusout", () => tell(null));
  on("keydown", (event) => void (event.key === "Escape" && tell(null)));
  return () => (heard.abort(), stop());
}

function peekable(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-peek]") : null;
}

function seen(element: HTMLElement): Peeked {
  return { card: Number(element.dataset["peek"]), at: element.getBoundingClientRect() };
}
