import { signal } from "@preact/signals";

const NARROW = matchMedia("(max-width: 979px)");

/** Whether the screen has room for only one column. */
export const narrow = signal(NARROW.matches);
NARROW.addEventListener("change", () => (narrow.value = NARROW.matches));
