// An edited copy of a stored value.
import { useSignal } from "@preact/signals";

type Draft<T> = { readonly value: T; write: (value: T) => void };

/** Return the stored value until the user edits it, then the edited one, whatever arrives meanwhile. */
export function useDraft<T>(kept: T): Draft<T> {
  const written = useSignal<{ value: T } | null>(null);
  return {
    value: written.value ? written.value.value : kept,
    write: (value) => void (written.value = { value }),
  };
}
