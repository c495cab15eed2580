// Keeps the keyboard focus near its place: when the focused element is removed or disabled, its surroundings get the focus.
const PLACES = "section, form, fieldset, nav, main, aside, [role=group]";

/** The element that was focused last, and its ancestors, innermost first. */
let path: readonly Element[] = [];
/** The element that has the focus in place of a removed one. */
let lent: Element | null = null;
/** The element that lost the focus and gets it back once it is enabled again. */
let awaited: HTMLElement | null = null;

export function keepFocus(): void {
  let due = 0;
  addEventListener("focusin", ({ target }) => {
    if (target !== lent) path = upwards(target as Element);
  });
  new MutationObserver(() => (due ||= requestAnimationFrame(() => ((due = 0), restore())))).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled", "hidden", "open", "data-open"],
  });
}

/** Whether the focus is where the user has not put it. */
export function isAstray(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused === lent;
}

/** Move a stray focus to this element, whose name a screen reader then reads out. */
export function lend(place: HTMLElement | null): void {
  if (!place || !isAstray()) return;
  [lent, awaited] = [place, null];
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function restore(): void {
  const focused = document.activeElement as HTMLElement | null;
  if (awaited && focused === lent && isUsable(awaited)) return awaited.focus({ preventScroll: true });
  const [last, ...around] = path;
  if (!last || isUsable(last) || (focused && focused !== last && focused !== document.body)) return;
  focused?.blur();
  lend(around.map(present).find((each) => each?.matches(PLACES) && isUsable(each)) ?? pageItself());
  awaited = last as HTMLElement;
}

function upwards(element: Element): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element; each; each = each.parentElement) found.push(each);
  return found;
}

/** Another element with the same id may have replaced it. */
function present(element: Element): HTMLElement | null {
  return element.isConnected ? (element as HTMLElement) : document.getElementById(element.id);
}

function pageItself(): HTMLElement | null {
  return document.querySelector<HTMLElement>("h1") ?? document.querySelector<HTMLElement>("main");
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}
