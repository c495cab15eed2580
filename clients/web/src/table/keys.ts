// Keys: 1 to 9 choose the offers of the list, ? explains the question, Enter confirms a subset, Esc cancels. They work as soon as the offers show.
import { useLayoutEffect } from "preact/hooks";
import type { Table } from "./store";

export function useKeys(table: Table): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (event.key === "Escape") {
        table.letGo();
        table.detail.value = null;
      } else if (/^[1-9?]$/.test(event.key)) click(`[aria-keyshortcuts="${event.key}"]`);
      else if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) click("[data-confirm]");
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [table]);
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  );
}

function click(selector: string): void {
  document.querySelector<HTMLButtonElement>(`${selector}:enabled`)?.click();
}
