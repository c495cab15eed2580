// The worker: keeps what the client begins with, so that it opens without a line and says so. Never /api.
// `files` and `version` are written in by shell.js at each build.
const files = /* FILES */ [];
const shell = `shell ${/* VERSION */ ""}`;

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(dropOthers()));
addEventListener("message", (event) => event.data === "take" && skipWaiting());
addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (files.includes(pathname) && mode !== "navigate") event.respondWith(kept(event.request));
  else if (mode === "navigate" && isPage(pathname)) event.respondWith(opened(event.request));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function keep() {
  // Files with a hash in their name do not change: those that the page has loaded already need no further request.
  const fresh = (file) => new Request(file, { cache: file === "/" ? "no-cache" : "default" });
  await (await caches.open(shell)).addAll(files.map(fresh));
}

async function dropOthers() {
  for (const name of await caches.keys()) if (name !== shell) await caches.delete(name);
}

async function kept(request) {
  return (await caches.match(request, { cacheName: shell })) ?? fetch(request);
}

// The page itself comes from the server whenever that answers: it is what a new release begins with.
async function opened(request) {
  return fetch(request).catch(() => caches.match("/", { cacheName: shell }));
}

function isPage(path) {
  return !/^\/(api|docs|assets|\.well-known|about|privacy|terms)(\/|$)/.test(path);
}

async function show(path) {
  const open = await clients.matchAll({ type: "window" });
  const there = open.find((client) => new URL(client.url).pathname === path) ?? open[0];
  if (!there) return clients.openWindow(path);
  await there.focus();
  return new URL(there.url).pathname === path ? there : there.navigate(path);
}
