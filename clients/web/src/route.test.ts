// @vitest-environment happy-dom
// Which page an address opens, and how the address follows the page.
import { assert, test } from "vitest";
import { go, route, routeOf, type Route } from "./route";

const ADDRESSES: [path: string, route: Route][] = [
  ["/", { page: "home" }],
  ["/what-nobody-knows", { page: "home" }],
  ["/games", { page: "games" }],
  ["/settings", { page: "settings" }],
  ["/admin", { page: "admin" }],
  ["/new/a-made-up-title", { page: "new", ruleset: "a-made-up-title" }],
  ["/rules/a%20b", { page: "rules", ruleset: "a b" }],
  ["/new", { page: "home" }],
  ["/t/1", { page: "table", table: "1" }],
  ["/t/1/replay", { page: "replay", table: "1", imported: false }],
  ["/imports/1", { page: "replay", table: "1", imported: true }],
  ["/embed/t/1", { page: "embed", table: "1", replay: false }],
  ["/embed/t/1/replay", { page: "embed", table: "1", replay: true }],
  ["/p/2", { page: "player", player: "2" }],
  ["/account", { page: "people", at: "account" }],
  ["/tournaments", { page: "tournaments" }],
  ["/tournaments/", { page: "tournaments" }],
  ["/tournaments/new", { page: "new-tournament" }],
  ["/tournaments/3", { page: "tournament", tournament: "3" }],
  ["/tournaments/3/desk", { page: "desk", tournament: "3" }],
];

test.each(ADDRESSES)("%s leads to its page", (path, expected) => assert.deepEqual(routeOf(path), expected));

test("whoever goes on can go back", async () => {
  go("/t/1");
  assert.deepEqual([location.pathname, route.value], ["/t/1", { page: "table", table: "1" }]);
  go("/games");
  history.replaceState(null, "", "/t/1"); // where the browser's back button leads
  dispatchEvent(new PopStateEvent("popstate"));
  assert.deepEqual(route.value, { page: "table", table: "1" });
});
