// What was refused and is shown nowhere else: without this a part of the page would wait for ever.
import { effect, signal } from "@preact/signals";
import { Refused } from "../api/client";
import type { Problem } from "../api/types";
import { route } from "../route";

/** Why, until the reader goes to another page. */
export const failed = signal<Problem | null>(null);

export function showFailures(): void {
  effect(() => (route.value, void (failed.value = null)));
  addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof Refused)) return;
    event.preventDefault();
    failed.value = event.reason.problem;
  });
}
