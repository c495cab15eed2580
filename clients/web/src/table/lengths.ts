// How long the text of a card is. The style sheet says for each class how wide a card must be to show all of it.
import type { CardBody } from "../api/types";
import { here } from "../here";
import type { Words } from "./words";

/** The most letters of each class; a longer text is shown only where the card is shown large. */
const MOST = [44, 62, 86, 134, 192, 266, 345] as const;
/** A name longer than this takes a second line, which costs the text as many letters as a line has. */
const ONE_LINE = 15;
const LINE = 20;

export function lengthClass(words: Words, card: CardBody): number {
  const text = words.rule(card.id)?.text ?? "";
  const name = here(card.name).length > ONE_LINE ? LINE : 0;
  const found = MOST.findIndex((most) => text.length + name <= most);
  return found < 0 ? MOST.length : found;
}
