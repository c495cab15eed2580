import { signal } from "@preact/signals";
import { kept } from "./embedded";
import { KEPT_THEME, themeAsked, type Theme } from "./look";

export const theme = signal(themeAsked());

export function setTheme(chosen: Theme): void {
  kept.setItem(KEPT_THEME, chosen);
  theme.value = chosen;
  document.documentElement.dataset["theme"] = chosen;
}
