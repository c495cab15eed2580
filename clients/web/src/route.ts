// Where in the client we are: the address, as a signal.
import { signal } from "@preact/signals";

export type Route = { page: "home" } | { page: "new"; ruleset: string } | { page: "table"; table: string } | { page: "admin" };

export const route = signal<Route>(routeOf(location.pathname));
addEventListener("popstate", () => (route.value = routeOf(location.pathname)));

export function routeOf(path: string): Route {
  const [, page, id] = path.split("/");
  if (page === "t" && id) return { page: "table", table: id };
  if (page === "new" && id) return { page: "new", ruleset: decodeURIComponent(id) };
  if (page === "admin") return { page: "admin" };
  return { page: "home" };
}

export function go(path: string): void {
  history.pushState(null, "", path);
  route.value = routeOf(path);
  scrollTo(0, 0);
}
