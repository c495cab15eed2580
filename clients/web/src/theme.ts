import { signal } from "@preact/signals";
import { kept } from "./embedded";

export const THEMES = ["light", "dark", "auto"] as const;
export type Theme = (typeof THEMES)[number];
const KEPT = "ludarium.theme";

export const theme = signal<Theme>("auto");

export function startTheme(): void {
  const asked = new URLSearchParams(location.search).get("theme") ?? kept.getItem(KEPT);
  show(THEMES.find((known) => known === asked) ?? "auto");
}

export function setTheme(chosen: Theme): void {
  kept.setItem(KEPT, chosen);
  show(chosen);
}

function show(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
}
