import { locale } from "../i18n";

const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.NumberFormat>();

/** A duration in words: "12 sec", "3 min". */
export function span(ms: number): string {
  const [value, unit] = ms < MINUTE_MS ? [ms / 1000, "second"] : [ms / MINUTE_MS, "minute"];
  return formatOf(unit, value < 10 ? 1 : 0).format(value);
}

// Cached: creating one takes longer than all the rest of a list of moments.
function formatOf(unit: string, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${locale.value} ${unit} ${maximumFractionDigits}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(locale.value, { style: "unit", unit, maximumFractionDigits });
  formats.set(key, known);
  return known;
}
