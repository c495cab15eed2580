// Streamer mode: what others who look at this screen are not to see is covered, until it is wanted.
import { computed, signal } from "@preact/signals";
import { kept } from "./embedded";

const KEPT = "ludarium.streaming";

export const streaming = signal(kept.getItem(KEPT) === "on");
export const peeking = signal(false);
/** Whether what one alone may see is covered now. */
export const covered = computed(() => streaming.value && !peeking.value);

export function setStreaming(on: boolean): void {
  streaming.value = on;
  peeking.value = false;
  if (on) kept.setItem(KEPT, "on");
  else kept.removeItem(KEPT);
}
