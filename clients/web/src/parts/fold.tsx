// What is shown when it is asked for, and made only then: on a large table most of what there is lies folded.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** open: by itself; whoever looks opens and closes it besides. */
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
