// Draws the arrows of this moment's note over the table. The note describes them in words.
import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Arrow } from "../api/types";
import { useTable } from "../table/context";
import { useProjector } from "./context";
import { elementOf } from "./pieces";

type Box = { left: number; top: number; width: number; height: number };
type Stroke = { x: number; y: number; toX: number; toY: number; round: number };
/** The time until moving cards have come to rest. */
const REST_MS = 400;
const NONE: readonly Arrow[] = [];
const NOTHING = { box: { left: 0, top: 0, width: 0, height: 0 }, strokes: [] };

export function Arrows() {
  const { film, nth, trial, margin } = useProjector();
  const { view } = useTable();
  const drawn = useSignal<{ box: Box; strokes: readonly Stroke[] }>(NOTHING);
  const arrows = trial.value ? NONE : (margin.at(film.value.seq(nth.value))?.arrows ?? NONE);
  useLayoutEffect(() => followed(() => (drawn.value = measured(arrows))), [arrows, view.value]);
  const { box, strokes } = drawn.value;
  if (!strokes.length) return null;
  const place = {
    left: `${box.left}px`,
    top: `${box.top}px`,
    inlineSize: `${box.width}px`,
    blockSize: `${box.height}px`,
  };
  return (
    <svg
      class="arrows"
      aria-hidden="true"
      data-arrows={strokes.length}
      style={place}
      viewBox={`${box.left} ${box.top} ${box.width} ${box.height}`}
    >
      <defs>
        <marker
          id="head"
          viewBox="0 0 10 10"
          refX="8"
          refY="5"
          markerWidth="4"
          markerHeight="4"
          orient="auto-start-reverse"
        >
          <path d="M0 0 10 5 0 10z" />
        </marker>
      </defs>
      {strokes.map(({ x, y, toX, toY, round }, nth) =>
        round ? (
          <circle key={nth} cx={x} cy={y} r={round} />
        ) : (
          <line key={nth} x1={x} y1={y} x2={toX} y2={toY} marker-end="url(#head)" />
        ),
      )}
    </svg>
  );
}

// Measure again when regions scroll under the arrows or the window changes.
function followed(measure: () => void): () => void {
  measure();
  const rest = setTimeout(measure, REST_MS);
  addEventListener("scroll", measure, { capture: true, passive: true });
  addEventListener("resize", measure);
  return () => {
    clearTimeout(rest);
    removeEventListener("scroll", measure, { capture: true });
    removeEventListener("resize", measure);
  };
}

/** Only within the table. */
function measured(arrows: readonly Arrow[]): { box: Box; strokes: readonly Stroke[] } {
  const felt = document.querySelector(".felt");
  if (!felt || !arrows.length) return NOTHING;
  const { left, top, width, height } = felt.getBoundingClientRect();
  return { box: { left, top, width, height }, strokes: arrows.flatMap(strokeOf) };
}

function strokeOf({ start, end }: Arrow): Stroke[] {
  const from = elementOf(start)?.getBoundingClientRect();
  const to = end ? elementOf(end)?.getBoundingClientRect() : from;
  if (!from?.width || !to?.width) return [];
  const [x, y] = middle(from);
  const [toX, toY] = middle(to);
  return [{ x, y, toX, toY, round: end ? 0 : Math.max(from.width, from.height) / 2 + 4 }];
}

function middle({ left, top, width, height }: DOMRect): [number, number] {
  return [left + width / 2, top + height / 2];
}
