// The hovered card, enlarged: by mouse, long touch or keyboard. It takes no touches itself.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useTable } from "../table/context";
import { peeking, type Peeked } from "../table/peeking";
import { Badges, CardDetails, Pictures } from "./card";

const MARGIN = 8;

export function Peek() {
  const table = useTable();
  const shown = useSignal<Peeked | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => peeking((peeked) => (shown.value = peeked)), []);
  useEffect(() => void (shown.value = null), [table.view.value]);
  useLayoutEffect(() => placed(frame.current, shown.value), [shown.value]);
  const body = shown.value && table.words.value.cardBody(shown.value.card);
  if (!body) return null;
  return (
    <div class="peek" data-peeked={body.id} aria-hidden="true" style={table.tint(body.facts)} ref={frame}>
      <div class="card">
        <Pictures names={body.icons} />
        <Badges body={body} />
      </div>
      <CardDetails card={body.id} />
    </div>
  );
}

// Next to the card, on the side with more room, within the window.
function placed(frame: HTMLElement | null, peeked: Peeked | null): void {
  if (!frame || !peeked) return;
  const { left, right, top } = peeked.at;
  const { offsetWidth: width, offsetHeight: height } = frame;
  const x = innerWidth - right >= left ? right + MARGIN : left - MARGIN - width;
  frame.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
  frame.style.top = `${Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN))}px`;
}
