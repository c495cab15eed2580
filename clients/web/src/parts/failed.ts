// Refusals that are shown nowhere else: without this a part of the page would wait forever.
import { effect, signal } from "@preact/signals";
import { Refused } from "../api/client";
import type { Problem } from "../api/types";
import { route } from "../route";

/** The problem, until the user opens another page. */
export const failed = signal<Problem | null>(null);

export function showFailures(): void {
  effect(() => (route.value, void (failed.value = null)));
  addEventListener("unhandledrejection", (event) => {
    if (!(event.reason instanceof Refused)) return;
    event.preventDefault();
    failed.value = event.reason.problem;
  });
}
