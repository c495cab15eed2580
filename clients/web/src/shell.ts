// Installs the service worker that caches the client (public/sw.js) once the page is idle, and makes it take over on request.
import { signal } from "@preact/signals";

const REST_MS = 3_000;

/** Whether another release of the client is available. */
export const newer = signal(false);

export function startShell(): void {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const soon = () => setTimeout(() => void register(), REST_MS);
  if (document.readyState === "complete")
    soon(); // the page may be loaded before this module
  else addEventListener("load", soon);
}

async function register(): Promise<void> {
  const kept = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(console.warn);
  if (!kept) return;
  const look = () => (newer.value = !!kept.waiting && !!navigator.serviceWorker.controller);
  look();
  kept.addEventListener("updatefound", () => kept.installing?.addEventListener("statechange", look));
}

export async function takeNewer(): Promise<void> {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  (await navigator.serviceWorker.getRegistration())?.waiting?.postMessage("take");
}
