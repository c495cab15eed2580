// The words of these pages.
import { chapter } from "../i18n";
import en from "./en.json";

export type Word = keyof typeof en;
export const w = chapter(en, { es: () => import("./es.json"), hu: () => import("./hu.json") });

/** What parts those with the same points; of one that a later release has added, its name. */
export function criterion(name: string): string {
  const word = `by.${name}`;
  return word in en ? w(word as Word) : name;
}
