// Cards that move: where each one was before a change, and from there to where it is now (FLIP).
import type { Fact } from "./folding";

const LENGTH_MS = 320;
const LONGEST_STEP = 24;
type Was = { cards: Map<string, DOMRect>; slots: Map<string, DOMRect>; from: Map<string, string> };
let was: Was | null = null;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Before the table changes: where everything is, and whence the facts move cards. */
export function remember(facts: readonly Fact[]): void {
  if (still.matches || was) return;
  const rects = (name: string) =>
    new Map(
      [...document.querySelectorAll<HTMLElement>(`[data-${name}]`)].map((element) => [
        element.dataset[name]!,
        element.getBoundingClientRect(),
      ]),
    );
  was = { cards: rects("card"), slots: rects("slot"), from: sources(facts) };
}

function sources(facts: readonly Fact[]): Map<string, string> {
  const from = new Map<string, string>();
  for (const fact of facts)
    if (fact.type === "moved")
      for (const card of fact.cards) from.set(String(card), `${fact.src.zone}:${fact.src.index ?? 0}`);
  return from;
}

/** After it has changed. */
export function moveFromThere(): void {
  if (!was) return;
  const { cards, slots, from } = was;
  was = null;
  let moved = 0;
  for (const element of document.querySelectorAll<HTMLElement>("[data-card]")) {
    const card = element.dataset["card"]!;
    const start = cards.get(card) ?? slots.get(from.get(card) ?? "");
    if (start && moved < LONGEST_STEP && glide(element, start, !cards.has(card))) moved++;
  }
}

function glide(element: HTMLElement, start: DOMRect, isNew: boolean): boolean {
  const end = element.getBoundingClientRect();
  const [x, y] = [
    start.left + start.width / 2 - end.left - end.width / 2,
    start.top + start.height / 2 - end.top - end.height / 2,
  ];
  if (!end.width || Math.abs(x) + Math.abs(y) < 4) return false;
  const way = [
    { transform: `translate(${x}px, ${y}px)`, opacity: isNew ? 0.4 : 1 },
    { transform: "none", opacity: 1 },
  ];
  const options = { duration: LENGTH_MS, easing: "cubic-bezier(.2,.8,.3,1)" };
  if (staysWithin(element, start)) element.animate(way, options);
  else {
    const ghost = ghostOf(element, end);
    element.animate([{ opacity: 0 }, { opacity: 0 }], options);
    ghost.firstElementChild!.animate(way, options).onfinish = () => ghost.remove();
  }
  return true;
}

function staysWithin(element: HTMLElement, start: DOMRect): boolean {
  const region = element.closest(".seat, .middle")?.getBoundingClientRect();
  return (
    !!region &&
    region.left <= start.left &&
    start.right <= region.right &&
    region.top <= start.top &&
    start.bottom <= region.bottom
  );
}

// What leaves a region moves as a copy above everything, for regions scroll and cut off what lies beyond them. It looks
// as what it becomes.
function ghostOf(element: HTMLElement, { left, top, width, height }: DOMRect): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = element.closest(".others") ? "ghost others" : "ghost";
  ghost.inert = true;
  const copy = ghost.appendChild(element.cloneNode(true) as HTMLElement);
  for (const name of ["data-card", "data-move", "title"]) copy.removeAttribute(name);
  copy.style.cssText += `left: ${left}px; top: ${top}px; inline-size: ${width}px; block-size: ${height}px; --card: ${width}px`;
  return document.body.appendChild(ghost);
}
