// Content that is rendered only when unfolded: at a large table most of it is folded.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** open: unfolds it automatically; the user can still open and close it. */
export function Fold({
  kind,
  open = false,
  label,
  children,
}: {
  kind?: string;
  open?: boolean;
  label: ComponentChildren;
  children: ComponentChildren;
}) {
  const asked = useSignal(false);
  return (
    <details class={kind} open={open} onToggle={(event) => (asked.value = event.currentTarget.open)}>
      <summary>{label}</summary>
      {(open || asked.value) && children}
    </details>
  );
}
