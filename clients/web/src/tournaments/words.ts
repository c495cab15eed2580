// The texts of these pages.
import { chapter } from "../i18n";

export const { say: w, knows } = chapter("tournaments");

/** Return the name of a tie-break; its id if a later release has added it. */
export function criterion(name: string): string {
  const word = `by.${name}`;
  return knows(word) ? w(word) : name;
}
