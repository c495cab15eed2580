// The state of a form: whether it is busy, its problem, and the action that waits for a new sign-in.
import { signal, useSignal } from "@preact/signals";
import { Refused } from "../api/client";
import { codeOf } from "./client";
import { w } from "./words";

export type Deed = () => Promise<unknown>;
export type Doing = { readonly busy: boolean; readonly trouble: string | null; act(deed: Deed): Promise<void> };

/** The action that was refused because its session is too old. */
export const interrupted = signal<Deed | null>(null);

/** A problem on this page, with a text for the user. */
export class Said extends Error {}

export function useDoing(): Doing {
  const busy = useSignal(false);
  const trouble = useSignal<string | null>(null);
  const act = async (deed: Deed): Promise<void> => {
    busy.value = true;
    trouble.value = null;
    try {
      await deed();
    } catch (error) {
      if (codeOf(error) === "sign-in-again") interrupted.value = () => act(deed);
      else trouble.value = told(error);
    } finally {
      busy.value = false;
    }
  };
  return { busy: busy.value, trouble: trouble.value, act };
}

function told(error: unknown): string {
  if (error instanceof Refused) return error.problem.title;
  if (error instanceof Said) return error.message;
  if (error instanceof DOMException) return w("passkey.not");
  throw error;
}
