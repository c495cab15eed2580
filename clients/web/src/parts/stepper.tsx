import type { ComponentChildren } from "preact";
import { t } from "../i18n";

/** One number out of some: counted up and down. */
export function Stepper({
  label,
  value,
  values,
  pick,
  of,
}: {
  label: ComponentChildren;
  value: number;
  values: readonly number[];
  pick: (value: number) => void;
  of?: string | undefined;
}) {
  const at = values.indexOf(value);
  const to = (by: number) => pick(values[at + by]!);
  return (
    <div class="counter" role="group">
      <span class="label">{label}</span>
      <button type="button" class="member" data-move aria-label={t("fewer")} disabled={at <= 0} onClick={() => to(-1)}>
        −
      </button>
      <output>
        {value}
        {of && <small> {of}</small>}
      </output>
      <button
        type="button"
        class="member"
        data-move
        aria-label={t("more")}
        disabled={at >= values.length - 1}
        onClick={() => to(1)}
      >
        +
      </button>
    </div>
  );
}
