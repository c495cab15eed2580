// Streamer mode: covers everything that viewers of this screen must not see, until the player peeks.
import { computed, signal } from "@preact/signals";
import { kept } from "./embedded";

const KEPT = "ludarium.streaming";

export const streaming = signal(kept.getItem(KEPT) === "on");
export const peeking = signal(false);
/** Whether private parts are covered now. */
export const covered = computed(() => streaming.value && !peeking.value);

export function setStreaming(on: boolean): void {
  streaming.value = on;
  peeking.value = false;
  if (on) kept.setItem(KEPT, "on");
  else kept.removeItem(KEPT);
}
