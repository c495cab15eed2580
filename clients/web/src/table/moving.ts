// Animates moving cards by view transitions, if the browser has them: from the card's old place, or the slot that it left.
import type { Fact } from "./folding";

const MOST = 24;
const SPOT_PX = 24;
const PREFIX = "card-";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the page is visible and motion is wanted. */
export function moves(): boolean {
  return !still.matches && document.visibilityState === "visible";
}

type Move = { card: number; src: string; dst: string };

/** Apply the change; resolves when it is on the page. */
export async function moved(facts: readonly Fact[], change: () => void): Promise<void> {
  const found = moves() && "startViewTransition" in document ? movesIn(facts) : [];
  if (!found.length) return change();
  const from = found.map(({ card, src }) => called(card, src));
  let to: (() => void)[] = [];
  const transition = document.startViewTransition(async () => {
    for (const uncall of from) uncall();
    change();
    await rendered();
    to = found.map(({ card, dst }) => called(card, dst));
  });
  transition.ready.catch(() => undefined); // another transition has begun, or the page is hidden
  void transition.finished.then(() => to.forEach((uncall) => void uncall()));
  await transition.updateCallbackDone;
}

/** Return each card once, from its first to its last place. */
function movesIn(facts: readonly Fact[]): Move[] {
  const found = new Map<number, Move>();
  for (const fact of facts) {
    if (fact.type !== "moved") continue;
    const [src, dst] = [fact.src, fact.dst].map(({ zone, index }) => `${zone}:${index ?? 0}`) as [string, string];
    for (const card of fact.cards) if (card >= 0) found.set(card, { card, src: found.get(card)?.src ?? src, dst });
  }
  return [...found.values()].slice(0, MOST);
}

/**
 * Name the card for the transition, or the middle of the slot if it is not visible; returns a function that removes the name.
 */
function called(card: number, slot: string): () => void {
  const shown = seen(`[data-card="${card}"]`);
  const place = seen(`[data-slot="${CSS.escape(slot)}"]`);
  if (!shown && !place) return () => undefined;
  const element = shown ?? spot(place!);
  element.style.viewTransitionName = PREFIX + card;
  return () => (shown ? shown.style.removeProperty("view-transition-name") : element.remove());
}

function seen(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`.felt ${selector}`)].find((each) => each.checkVisibility());
}

function spot(place: HTMLElement): HTMLElement {
  const { left, top, width, height } = place.getBoundingClientRect();
  const element = document.body.appendChild(document.createElement("div"));
  element.className = "spot-of-card";
  element.style.left = `${left + width / 2 - SPOT_PX / 2}px`;
  element.style.top = `${top + height / 2 - SPOT_PX / 2}px`;
  return element;
}

/** Resolves when changes of signals are on the page. */
function rendered(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
