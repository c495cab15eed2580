// The texts of these pages.
import { chapter, locale } from "../i18n";

export const { say: w, knows } = chapter("people");

/** Describe a scope; if a later release has added it, in the server's words. */
export function scopeWord(scope: string, otherwise = scope): string {
  const word = `scope.${scope}`;
  return knows(word) ? w(word) : otherwise;
}

/** Return when something was created and last used. */
export function used(since: string, last: string | null): string {
  return `${w("since", day(since))} · ${lastUsed(last)}`;
}

export function lastUsed(time: string | null): string {
  return time ? w("used", day(time)) : w("unused");
}

export function day(time: string): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium" }).format(new Date(time));
}
