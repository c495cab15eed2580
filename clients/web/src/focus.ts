// Keeps the place of the keyboard: when the element with the focus goes away or is disabled, what stood around it takes the focus.
const PLACES = "section, form, fieldset, nav, main, aside, [role=group]";

/** The element that was focused last and what it stood in, innermost first. */
let path: readonly Element[] = [];
/** Holds the focus in place of an element that is gone. */
let lent: Element | null = null;
/** The element that has lost the focus to it and takes it back once enabled again. */
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

/** Whether the user has not chosen where the focus is. */
export function isAstray(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || focused === lent;
}

/** Gives a focus that is astray to this place, whose name a screen reader then says. */
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

/** What has the same id may have taken its place. */
function present(element: Element): HTMLElement | null {
  return element.isConnected ? (element as HTMLElement) : document.getElementById(element.id);
}

function pageItself(): HTMLElement | null {
  return document.querySelector<HTMLElement>("h1") ?? document.querySelector<HTMLElement>("main");
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}
