// The words of these pages.
import { chapter } from "../i18n";

export const { say: w, knows } = chapter("tournaments");

/** What parts those with the same points; of one that a later release has added, its name. */
export function criterion(name: string): string {
  const word = `by.${name}`;
  return knows(word) ? w(word) : name;
}
