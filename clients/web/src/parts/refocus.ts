import { useEffect } from "preact/hooks";
import { lend } from "../focus";

/** Goes to what is to be chosen next, unless the user has put the focus somewhere else. step: which, null: nothing is asked. */
export function useRefocus(step: string | null, id: string): void {
  useEffect(() => {
    if (step !== null) lend(document.getElementById(id));
  }, [step, id]);
}
