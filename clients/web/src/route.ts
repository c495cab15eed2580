// Where in the client we are: the address, as a signal.
import { signal } from "@preact/signals";

export type AboutPeople = "account" | "recover" | "reset" | "device" | "oauth";
export type Route = { page: "home" } | { page: "new"; ruleset: string } | { page: "table"; table: string } | { page: "replay"; table: string } | { page: "embed"; table: string; replay: boolean } | { page: "admin" } | { page: "people"; at: AboutPeople };

const PEOPLE: readonly string[] = ["account", "recover", "reset", "device", "oauth"] satisfies AboutPeople[];

export const route = signal<Route>(routeOf(location.pathname));
addEventListener("popstate", () => (route.value = routeOf(location.pathname)));

export function routeOf(path: string): Route {
  const [, page, id, part, below] = path.split("/");
  if (page === "embed" && id === "t" && part) return { page: "embed", table: part, replay: below === "replay" };
  if (page === "t" && id && part === "replay") return { page: "replay", table: id };
  if (page === "t" && id) return { page: "table", table: id };
  if (page === "new" && id) return { page: "new", ruleset: decodeURIComponent(id) };
  if (PEOPLE.includes(page!)) return { page: "people", at: page as AboutPeople };
  if (page === "admin") return { page: "admin" };
  return { page: "home" };
}

export function go(path: string): void {
  history.pushState({ from: location.pathname }, "", path);
  route.value = routeOf(path);
  scrollTo(0, 0);
}
