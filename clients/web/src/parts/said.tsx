import type { Text } from "../table/words";

/** A text of the game; marked if it is missing in the reader's language. */
export function Said({ text }: { text: Text }) {
  return text.missing ? <span data-missing-text={text.missing}>{text.text}</span> : <>{text.text}</>;
}
