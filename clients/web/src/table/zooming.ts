// Zooms a map: with two fingers, with the wheel and Ctrl, or by buttons, keeping its middle in place. Moves it by scrolling or
// by buttons.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";

const STEP = 1.4;
const MOST = 3.2;
const WHEEL = 300;

/** The share of the visible part that one press moves. */
const PAN = 0.5;

export type Zoom = {
  factor: number;
  least: boolean;
  most: boolean;
  in(): void;
  out(): void;
  pan(across: number, down: number): void;
};

export function useZoom(frame: RefObject<HTMLElement | null>): Zoom {
  const factor = useSignal(1);
  const to = (wanted: number) => (factor.value = Math.min(MOST, Math.max(1, wanted)));
  useEffect(() => followed(frame.current!, () => factor.value, to), []);
  useMiddle(frame, factor.value);
  return {
    factor: factor.value,
    least: factor.value <= 1,
    most: factor.value >= MOST,
    in: () => to(factor.value * STEP),
    out: () => to(factor.value / STEP),
    pan: (across, down) => panned(frame.current!, across * PAN, down * PAN),
  };
}

function panned(frame: HTMLElement, across: number, down: number): void {
  frame.scrollBy({ left: across * frame.clientWidth, top: down * frame.clientHeight });
}

function useMiddle(frame: RefObject<HTMLElement | null>, factor: number): void {
  const before = useRef(factor);
  useLayoutEffect(() => {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = frame.current!;
    const ratio = factor / before.current;
    before.current = factor;
    frame.current!.scrollTo(
      (scrollLeft + clientWidth / 2) * ratio - clientWidth / 2,
      (scrollTop + clientHeight / 2) * ratio - clientHeight / 2,
    );
  }, [factor]);
}

// Handle fingers and wheel; returns a function that stops this.
function followed(frame: HTMLElement, now: () => number, to: (factor: number) => void): () => void {
  const heard = new AbortController();
  let pinch: { apart: number; factor: number } | null = null;
  const wheel = (event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    to(now() * Math.exp(-event.deltaY / WHEEL));
  };
  const fingers = (event: TouchEvent) => {
    const apart = distance(event.touches);
    if (apart === null) return void (pinch = null);
    event.preventDefault();
    pinch ??= { apart, factor: now() };
    to((pinch.factor * apart) / pinch.apart);
  };
  frame.addEventListener("wheel", wheel, { passive: false, signal: heard.signal });
  for (const type of ["touchstart", "touchmove", "touchend"] as const)
    frame.addEventListener(type, fingers, { passive: false, signal: heard.signal });
  return () => heard.abort();
}

function distance(touches: TouchList): number | null {
  const [a, b] = [touches[0], touches[1]];
  return a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : null;
}
