// What somebody writes over what is kept already.
import { useSignal } from "@preact/signals";

type Draft<T> = { readonly value: T; write: (value: T) => void };

/** What is kept, until somebody writes: then theirs, whatever arrives meanwhile. */
export function useDraft<T>(kept: T): Draft<T> {
  const written = useSignal<{ value: T } | null>(null);
  return {
    value: written.value ? written.value.value : kept,
    write: (value) => void (written.value = { value }),
  };
}
