// The words of the interface. Games bring their own: see table/words.ts. English comes with the page, another language when asked for.
import { batch, signal } from "@preact/signals";
import { kept } from "../embedded";
import { filled } from "../table/filling";
import en from "./en.json";

export type Locale = "en" | "es" | "hu";
export type Word = keyof typeof en;
export const LOCALES: Record<Locale, string> = { en: "English", es: "Español", hu: "Magyar" };
type Catalogue = Record<Word, string>;
const CATALOGUES: Record<Locale, () => Promise<{ default: Catalogue }>> = {
  en: async () => ({ default: en }),
  es: () => import("./es.json"),
  hu: () => import("./hu.json"),
};
const KEPT = "ludarium.locale";

export const locale = signal<Locale>("en");
const words = signal<Catalogue>(en);

export async function chooseLocale(chosen: Locale): Promise<void> {
  await setLocale(chosen);
  kept.setItem(KEPT, chosen);
}

async function setLocale(chosen: Locale): Promise<void> {
  const { default: found } = await CATALOGUES[chosen]();
  batch(() => [words.value, locale.value] = [found, chosen]);
  document.documentElement.lang = chosen;
}

/** From the address, what was chosen before, or what the browser asks for. */
export async function startLocale(): Promise<void> {
  const asked = [new URLSearchParams(location.search).get("locale"), kept.getItem(KEPT), ...navigator.languages];
  const known = asked.map((tag) => tag?.slice(0, 2)).find((tag): tag is Locale => tag !== undefined && tag in LOCALES);
  await setLocale(known ?? "en");
}

/** A text with {0}, {1}, ... for the parameters. */
export function t(word: Word, ...params: (string | number)[]): string {
  return filled(words.value[word], params.map((param) => ({ text: String(param), number: Number(param) || 0 })));
}
