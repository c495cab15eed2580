// Makes cards as large as possible, and scrolls to the pieces in question. On a narrow screen the style sheet alone determines
// sizes, for there all regions scroll together.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { locale } from "../i18n";
import { narrow } from "./screen";
import type { Table } from "./store";

const WIDTHS = [
  200, 190, 178, 168, 156, 150, 140, 132, 124, 116, 108, 100, 92, 88, 84, 80, 76, 73, 70, 67, 64, 61, 58, 55, 52, 50,
];
const OWN_WIDTHS = WIDTHS.filter((width) => width >= 64 && width <= 150);
const OWN_SHARE = 0.34;
/** The own seat's share of the height next to a map, which needs the space. */
const OWN_SHARE_OF_MAP = 0.22;
/** The cards whose width is computed; that of others is fixed. */
const FITTED = ".zone:not(.fold) .card";
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Fit the own seat's cards, then those in the centre, into the available space. */
export function useRoom(felt: RefObject<HTMLElement | null>, table: Table): void {
  const arrange = () => {
    if (felt.current) arranged(felt.current);
  };
  // Once everything is rendered: the contents of a region are rendered separately, after their container.
  useLayoutEffect(() => queueMicrotask(arrange), [table.view.value, table.lit.value, locale.value]);
  useEffect(() => {
    const watcher = new ResizeObserver(() => {
      arrange();
      intoSight(felt.current);
    });
    watcher.observe(felt.current!);
    return () => watcher.disconnect();
  }, []);
}

/** When the question changes, scroll to its pieces, or to the first of them. */
export function useSight(felt: RefObject<HTMLElement | null>, table: Table): void {
  const about = table.state.value === "asked" ? `${table.view.value?.choice?.id} ${table.touched.value.offer}` : null;
  const look = () => {
    if (table.state.peek() === "asked") intoSight(felt.current);
  };
  // Once everything is rendered, as above; and again when a map was laid out, which moves its spaces.
  useEffect(() => queueMicrotask(look), [about]);
  useEffect(() => table.layouts.subscribe(look), []);
}

function arranged(felt: HTMLElement): void {
  const own = felt.querySelector<HTMLElement>(".seat.own");
  const middle = felt.querySelector<HTMLElement>(".middle");
  if (own)
    fitted(
      own,
      OWN_WIDTHS,
      () => own.scrollHeight <= felt.clientHeight * (middle?.querySelector(".board") ? OWN_SHARE_OF_MAP : OWN_SHARE),
    );
  if (middle)
    fitted(
      middle,
      WIDTHS,
      () => middle.scrollHeight <= middle.clientHeight && middle.scrollWidth <= middle.clientWidth,
    );
}

// The width is set on the zones alone, so that trials do not restyle the rest of the region.
function fitted(region: HTMLElement, widths: readonly number[], fits: () => boolean): void {
  const { style } = region.querySelector<HTMLElement>(":scope > .zones")!;
  const set = (nth: number) => style.setProperty("--unit", `${widths[nth]}px`);
  if (narrow.value || !region.querySelector(`:scope > .zones ${FITTED}`)) {
    fittedFor.delete(region);
    if (narrow.value) style.removeProperty("--unit");
    else set(0);
  } else if (hasChanged(region)) measured(region, () => set(firstFitting(widths.length, (nth) => (set(nth), fits()))));
}

/** What each region was last fitted for. */
const fittedFor = new WeakMap<HTMLElement, string>();

// Whether the cards or the space have changed. Trials are expensive, and selecting pieces needs none.
function hasChanged(region: HTMLElement): boolean {
  const room = [innerWidth, innerHeight, region.clientWidth, region.parentElement!.clientHeight];
  const drawn = region.querySelector(":scope > .zones")!.innerHTML.replace(/ aria-pressed="\w+"/g, "");
  const now = `${room} ${drawn}`;
  if (fittedFor.get(region) === now) return false;
  fittedFor.set(region, now);
  return true;
}

// Measure without scroll bar: browsers keep its space if the contents would not fit next to it.
function measured(region: HTMLElement, work: () => void): void {
  region.style.overflow = "hidden";
  work();
  region.style.removeProperty("overflow");
}

// The widest cards with which the region fits, or the narrowest if none fit. The trials are always the same: wider cards can
// fit where narrower ones do not (they wrap differently), so a search from the previous width would depend on the path.
function firstFitting(count: number, fits: (nth: number) => boolean): number {
  let [least, most] = [0, count - 1];
  while (least < most) {
    const half = (least + most) >> 1;
    if (fits(half)) most = half;
    else least = half + 1;
  }
  return least;
}

function intoSight(felt: HTMLElement | null): void {
  const pieces = [...(felt?.querySelectorAll<HTMLElement>("[data-move]:enabled") ?? [])];
  if (!felt || pieces.every(reached) || (narrow.value && allTogether(felt, pieces))) return;
  if (!reached(pieces[0]!)) pieces[0]!.scrollIntoView({ block: "center", inline: "center", behavior: behavior() });
}

// All pieces in the middle of a table that scrolls as one, if they fit.
function allTogether(felt: HTMLElement, pieces: readonly HTMLElement[]): boolean {
  const boxes = pieces.map((piece) => piece.getBoundingClientRect());
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  const room = felt.getBoundingClientRect();
  if (bottom - top > room.height) return false;
  felt.scrollBy({ top: (top + bottom - room.top - room.bottom) / 2, behavior: behavior() });
  return true;
}

function behavior(): ScrollBehavior {
  return still.matches ? "auto" : "smooth";
}

function reached(piece: HTMLElement): boolean {
  const { left, right, top, bottom } = piece.getBoundingClientRect();
  const corners = [
    [left + 3, top + 3],
    [right - 3, bottom - 3],
  ] as const;
  return corners.every(([x, y]) => piece.contains(document.elementFromPoint(x, y)));
}
