// The colour scheme and language of a page: from its address, the stored choice, or the browser's preference.
import { kept } from "./embedded";

export const LOCALES = { en: "English", es: "Español", hu: "Magyar" } as const;
export type Locale = keyof typeof LOCALES;
export const KEPT_LOCALE = "ludarium.locale";
export const THEMES = ["light", "dark", "auto"] as const;
export type Theme = (typeof THEMES)[number];
export const KEPT_THEME = "ludarium.theme";

const asked = new URLSearchParams(location.search);

export function localeAsked(): Locale {
  const tags = [asked.get("locale"), kept.getItem(KEPT_LOCALE), ...navigator.languages];
  return tags.map((tag) => tag?.slice(0, 2)).find((tag): tag is Locale => tag !== undefined && tag in LOCALES) ?? "en";
}

export function themeAsked(): Theme {
  const theme = asked.get("theme") ?? kept.getItem(KEPT_THEME);
  return THEMES.find((known) => known === theme) ?? "auto";
}

export function dress(): void {
  document.documentElement.lang = localeAsked();
  document.documentElement.dataset["theme"] = themeAsked();
}
