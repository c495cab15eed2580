import type { Text } from "../table/words";

/** A text of the game; marked where there is none in the reader's language. */
export function Said({ text }: { text: Text }) {
  return text.missing ? <span data-missing-text={text.missing}>{text.text}</span> : <>{text.text}</>;
}
