import { locale } from "../i18n";

const MINUTE_MS = 60_000;

/** A while in words: "12 sec", "3 min". */
export function span(ms: number): string {
  const [value, unit] = ms < MINUTE_MS ? [ms / 1000, "second"] : [ms / MINUTE_MS, "minute"];
  return new Intl.NumberFormat(locale.value, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}
