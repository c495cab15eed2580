// The words of the interface. Games bring their own: see table/words.ts.
import { signal } from "@preact/signals";
import { filled } from "../table/filling";
import en from "./en.json";
import es from "./es.json";
import hu from "./hu.json";

export type Locale = "en" | "es" | "hu";
export type Word = keyof typeof en;
export const LOCALES: Record<Locale, string> = { en: "English", es: "Español", hu: "Magyar" };
const CATALOGUES: Record<Locale, Record<Word, string>> = { en, es, hu };
const KEPT = "ludarium.locale";

export const locale = signal<Locale>("en");

export function setLocale(chosen: Locale): void {
  locale.value = chosen;
  document.documentElement.lang = chosen;
  localStorage.setItem(KEPT, chosen);
}

/** From the address, what was chosen before, or what the browser asks for. */
export function startLocale(): void {
  const asked = [new URLSearchParams(location.search).get("locale"), localStorage.getItem(KEPT), ...navigator.languages];
  const known = asked.map((tag) => tag?.slice(0, 2)).find((tag): tag is Locale => tag !== undefined && tag in LOCALES);
  locale.value = known ?? "en";
  document.documentElement.lang = locale.value;
}

/** A text with {0}, {1}, ... for the parameters. */
export function t(word: Word, ...params: (string | number)[]): string {
  return filled(CATALOGUES[locale.value][word], params.map((param) => ({ text: String(param), number: Number(param) || 0 })));
}
