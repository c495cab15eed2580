// Cards as large as there is room for, and what is asked about in sight. On a narrow screen sizes follow from the style
// sheet alone, for there all regions scroll as one.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { locale } from "../i18n";
import { narrow } from "./screen";
import type { Table } from "./store";

const WIDTHS = [150, 140, 132, 124, 116, 108, 100, 92, 88, 84, 80, 76, 73, 70, 67, 64, 61, 58, 55, 52, 50];
const OWN_WIDTHS = WIDTHS.filter((width) => width >= 64 && width <= 108);
const OWN_SHARE = 0.3;
/** Beside a map, which needs the room. */
const OWN_SHARE_OF_MAP = 0.22;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Fits the cards of the own seat, then those of the centre, into what the window leaves them. */
export function useRoom(felt: RefObject<HTMLElement | null>, table: Table): void {
  const size = useRef("");
  const found = useRef<Found>(new Map());
  const arrange = () => {
    if (felt.current) arranged(felt.current, `${locale.value} ${size.current}`, found.current);
  };
  useLayoutEffect(arrange, [table.view.value, table.lit.value, locale.value]);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      size.current = `${width} ${height}`;
      arrange();
      intoSight(felt.current);
    });
    watcher.observe(felt.current!);
    return () => watcher.disconnect();
  }, []);
}

/** When something else is asked, brings the pieces that it is about into sight, or the first of them. */
export function useSight(felt: RefObject<HTMLElement | null>, table: Table): void {
  const about = table.state.value === "asked" ? `${table.view.value?.choice?.id} ${table.touched.value.offer}` : null;
  useEffect(() => void (about && intoSight(felt.current)), [about]);
}

// where: the language, and how large the felt is.
function arranged(felt: HTMLElement, where: string, found: Found): void {
  const own = felt.querySelector<HTMLElement>(".seat.own");
  const middle = felt.querySelector<HTMLElement>(".middle");
  if (narrow.value) return [own, middle].forEach(loosened);
  const lies = own ? `${where} ${contents(own)}` : where;
  if (own)
    widest(
      own,
      OWN_WIDTHS,
      { lies, found },
      () => own.scrollHeight <= felt.clientHeight * (middle?.querySelector(".board") ? OWN_SHARE_OF_MAP : OWN_SHARE),
    );
  if (middle)
    widest(
      middle,
      WIDTHS,
      { lies: `${lies} ${!!felt.querySelector(".scores")} ${contents(middle)}`, found },
      () => middle.scrollHeight <= middle.clientHeight && middle.scrollWidth <= middle.clientWidth,
    );
}

// On a narrow screen the style sheet says.
function loosened(region: HTMLElement | null): void {
  if (!region) return;
  region.style.removeProperty("--unit");
  now.delete(region);
}

/** How wide the cards of a region are: their place among the widths. */
const now = new WeakMap<HTMLElement, number>();
/** And how wide they were where the same lay there. */
type Found = Map<string, number>;
const MOST_FOUND = 500;
const DECIDING = ".zone, .cards, .line, .held, .card, .upon, .amount, .mark, .board";

// What decides how much room a region needs. Names are left out: a card of another name is as large.
function contents(region: HTMLElement): string {
  const parts = [...region.querySelectorAll<HTMLElement>(DECIDING)];
  return parts.map((part) => `${part.className}${part.hasAttribute("open") ? "+" : ""}`).join();
}

// The widest cards at which the region fits; the least where none do. Each trial lays the page out: where the same lay before,
// that is looked up, and the layout that shows whether it still fits is the one in which the page is drawn.
function widest(
  region: HTMLElement,
  widths: readonly number[],
  { lies, found }: { lies: string; found: Found },
  fits: () => boolean,
): void {
  const tried = (nth: number) => {
    if (now.get(region) !== nth) region.style.setProperty("--unit", `${widths[nth]}px`);
    now.set(region, nth);
    return fits();
  };
  const enough = (nth: number) => tried(nth) || nth === widths.length - 1;
  const before = now.get(region);
  const known = found.get(lies);
  if (known !== undefined && enough(known)) return;
  const asBefore = before !== undefined && (before === 0 || !tried(before - 1)) && enough(before);
  if (!asBefore) tried(firstFitting(widths.length, tried));
  if (found.size >= MOST_FOUND) found.clear();
  found.set(lies, now.get(region)!);
}

function firstFitting(count: number, tried: (nth: number) => boolean): number {
  let [least, most] = [0, count - 1];
  while (least < most) {
    const half = (least + most) >> 1;
    if (tried(half)) most = half;
    else least = half + 1;
  }
  return least;
}

function intoSight(felt: HTMLElement | null): void {
  const pieces = [...(felt?.querySelectorAll<HTMLElement>("[data-move]:enabled") ?? [])];
  if (!felt || pieces.every(reached) || (narrow.value && allTogether(felt, pieces))) return;
  if (!reached(pieces[0]!)) pieces[0]!.scrollIntoView({ block: "center", inline: "center", behavior: behavior() });
}

// All pieces in the middle of a table that scrolls as one, if it has room for them.
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
