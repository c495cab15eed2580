// The sentences of a step, in the reader's language.
import type { ReplayStep } from "../api/types";
import type { Text, Words } from "../table/words";

export type Line = { readonly nth: number; readonly said: Text; readonly seat: number | null; readonly turn: boolean };

export function spoken({ story = [] }: ReplayStep, words: Words): string {
  return story.map(({ message }) => words.message(message).text).join(". ");
}

export function linesOf(steps: readonly ReplayStep[], words: Words): Line[] {
  return steps.flatMap(({ story = [] }, nth) =>
    story.map(({ message, seat, turn }) => ({ nth, said: words.message(message), seat, turn: !!turn })),
  );
}
