import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../i18n";

/** A number that is counted up and down. */
export function Stepper({
  label,
  value,
  said = value,
  values,
  pick,
  of,
}: {
  label: ComponentChildren;
  value: number;
  /** The number to display, if another: a payment is reduced by it. */
  said?: number;
  values: readonly number[];
  pick: (value: number) => void;
  of?: string | undefined;
}) {
  const at = values.indexOf(value);
  const id = useId();
  const step = (way: "fewer" | "more", sign: string, to: number) => (
    <button
      type="button"
      class="member"
      data-move
      id={`${id}-${way}`}
      aria-label={t(way)}
      aria-labelledby={`${id}-${way} ${id}`}
      disabled={values[to] === undefined}
      onClick={() => pick(values[to]!)}
    >
      {sign}
    </button>
  );
  return (
    <div class="counter" role="group" aria-labelledby={id}>
      <span class="label" id={id}>
        {label}
      </span>
      {step("fewer", "−", at - 1)}
      <output>
        {said}
        {of && <small> {of}</small>}
      </output>
      {step("more", "+", at + 1)}
    </div>
  );
}
