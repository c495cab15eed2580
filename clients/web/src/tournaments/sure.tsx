// Buttons that ask for confirmation.
import { useSignal } from "@preact/signals";
import { useCup } from "./cup";
import { w } from "./words";

/** A button that must be pressed twice, for actions that cannot be undone. */
export function Sure({ name, label, act }: { name: string; label: string; act: () => Promise<unknown> }) {
  const cup = useCup();
  const asked = useSignal(false);
  const press = () => (asked.value ? void cup.act(act).then(() => (asked.value = false)) : (asked.value = true));
  return (
    <button
      type="button"
      class={asked.value ? "sure" : ""}
      data-action={name}
      disabled={cup.busy.value}
      onClick={press}
      onBlur={() => (asked.value = false)}
    >
      {asked.value ? w("sure", label) : label}
    </button>
  );
}
