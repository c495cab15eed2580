// Relative times, such as "in 2 hours", in the reader's language.
import { locale } from "../i18n";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

export function left(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (["second", 1] as const);
  return new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" }).format(Math.round(seconds / size), unit);
}
