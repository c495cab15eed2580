import { useEffect, useRef } from "preact/hooks";

/** Who has answered by Enter or the space bar, a question or a step of one, goes on at what there is to choose next: what they
 * had pressed is gone, and the focus with it. step: which, null: nothing is asked. */
export function useRefocus(step: string | null, id: string): void {
  const pressed = useRef(false);
  useEffect(() => noted(pressed), []);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (step !== null && pressed.current && lost) document.getElementById(id)?.focus();
  }, [step, id]);
}

function noted(pressed: { current: boolean }): () => void {
  const key = ({ key, target }: KeyboardEvent) => {
    pressed.current = (key === "Enter" || key === " ") && target instanceof HTMLButtonElement;
  };
  const pointer = () => (pressed.current = false);
  addEventListener("keydown", key, true);
  addEventListener("pointerdown", pointer, true);
  return () => {
    removeEventListener("keydown", key, true);
    removeEventListener("pointerdown", pointer, true);
  };
}
