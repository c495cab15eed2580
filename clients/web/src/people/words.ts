// The words of these pages, which come with them.
import { locale } from "../i18n";
import { filled } from "../table/filling";
import en from "./en.json";
import es from "./es.json";
import hu from "./hu.json";

export type Word = keyof typeof en;
const CATALOGUES: Record<string, Record<Word, string>> = { en, es, hu };

export function w(word: Word, ...params: (string | number)[]): string {
  return filled(
    CATALOGUES[locale.value]![word],
    params.map((param) => ({ text: String(param), number: Number(param) || 0 })),
  );
}

/** What a scope allows; of one that a later release has added, what the server says of it. */
export function scopeWord(scope: string, otherwise = scope): string {
  const word = `scope.${scope}`;
  return word in en ? w(word as Word) : otherwise;
}

/** Since when there is something, and when it was used. */
export function used(since: string, last: string | null): string {
  return `${w("since", day(since))} · ${lastUsed(last)}`;
}

export function lastUsed(time: string | null): string {
  return time ? w("used", day(time)) : w("unused");
}

export function day(time: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium" }).format(new Date(time));
}
