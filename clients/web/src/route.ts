// The address as a signal.
import { signal } from "@preact/signals";

export type AboutPeople = "account" | "recover" | "reset" | "device" | "oauth";
export type Route =
  | { page: "home" | "games" | "settings" | "admin" | "tournaments" | "new-tournament" }
  | { page: "new" | "rules"; ruleset: string }
  | { page: "table"; table: string }
  | { page: "replay"; table: string; imported: boolean }
  | { page: "embed"; table: string; replay: boolean }
  | { page: "player"; player: string }
  | { page: "tournament" | "desk"; tournament: string }
  | { page: "people"; at: AboutPeople };

const PEOPLE: readonly string[] = ["account", "recover", "reset", "device", "oauth"] satisfies AboutPeople[];

export const route = signal<Route>(routeOf(location.pathname));
addEventListener("popstate", () => (route.value = routeOf(location.pathname)));

export function routeOf(path: string): Route {
  const [, page, id, part, below] = path.split("/");
  if (page === "embed" && id === "t" && part) return { page: "embed", table: part, replay: below === "replay" };
  if (page === "tournaments") return aboutTournaments(id, part);
  if (page === "t" && id)
    return part === "replay" ? { page: "replay", table: id, imported: false } : { page: "table", table: id };
  if (page === "imports" && id) return { page: "replay", table: id, imported: true };
  if (page === "p" && id) return { page: "player", player: id };
  if ((page === "new" || page === "rules") && id) return { page, ruleset: decodeURIComponent(id) };
  if (PEOPLE.includes(page!)) return { page: "people", at: page as AboutPeople };
  if (page === "admin" || page === "games" || page === "settings") return { page };
  return { page: "home" };
}

function aboutTournaments(id: string | undefined, part: string | undefined): Route {
  if (!id) return { page: "tournaments" };
  if (id === "new") return { page: "new-tournament" };
  return { page: part === "desk" ? "desk" : "tournament", tournament: id };
}

export function go(path: string): void {
  history.pushState({ from: location.pathname }, "", path);
  route.value = routeOf(location.pathname);
  scrollTo(0, 0);
}

/** Handle a click on an internal link without modifier keys; the browser handles new tabs. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  const { pathname, search } = event.currentTarget as HTMLAnchorElement;
  go(pathname + search);
}
