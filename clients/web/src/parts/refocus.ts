import { useEffect } from "preact/hooks";
import { lend } from "../focus";

/** Focus the next question, unless the user has put the focus elsewhere. step: the question, null if there is none. */
export function useRefocus(step: string | null, id: string): void {
  useEffect(() => {
    if (step !== null) lend(document.getElementById(id));
  }, [step, id]);
}
