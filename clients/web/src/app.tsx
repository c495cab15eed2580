import { effect } from "@preact/signals";
import { render, type ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { line } from "./api/line";
import { learnTitles } from "./catalogue";
import { embedded } from "./embedded";
import { keepFocus } from "./focus";
import { changes, me, whoAmI } from "./guest";
import { startLocale } from "./i18n";
import { startNotices } from "./notices";
import { showFailures } from "./parts/failed";
import { type Fetched, fetched, Later } from "./parts/later";
import { Reach } from "./parts/reach";
import { route, type Route } from "./route";
import { settle } from "./settled";
import { startShell } from "./shell";

// Each page is a chunk of its own, loaded when it is opened.
function pageOf(where: Route): { key: string; load: () => Promise<ComponentType> } {
  switch (where.page) {
    case "home":
      return { key: "home", load: home };
    case "games":
      return { key: "games", load: () => import("./house/others").then(({ Games }) => Games) };
    case "settings":
      return { key: "settings", load: () => import("./house/others").then(({ Settings }) => Settings) };
    case "player":
      return {
        key: where.player,
        load: () =>
          import("./house/others").then(({ PlayerPage }) => () => <PlayerPage id={where.player} />),
      };
    case "rules":
      return {
        key: `rules ${where.ruleset}`,
        load: () =>
          import("./house/others").then(({ Rules }) => () => <Rules id={where.ruleset} />),
      };
    case "new":
      return {
        key: `new ${where.ruleset}`,
        load: () =>
          import("./pages/new").then(({ NewTable }) => () => <NewTable id={where.ruleset} />),
      };
    case "table":
      return {
        key: where.table,
        load: () =>
          import("./pages/table").then(({ TablePage }) => () => <TablePage id={where.table} />),
      };
    case "replay":
      return {
        key: `replay ${where.table}`,
        load: () =>
          import("./replay").then(({ ReplayPage }) => () => <ReplayPage id={where.table} imported={where.imported} />),
      };
    case "embed":
      return {
        key: `embed ${where.table}`,
        load: () =>
          import("./embed").then(({ Embed }) => () => <Embed {...where} />),
      };
    case "people":
      return { key: where.at, load: () => import("./people").then(({ PAGES }) => PAGES[where.at]) };
    case "admin":
      return { key: "admin", load: () => import("./admin").then(({ Admin }) => Admin) };
    case "tournaments":
      return { key: "tournaments", load: () => import("./tournaments").then(({ Tournaments }) => Tournaments) };
    case "tournament":
      return {
        key: where.tournament,
        load: () =>
          import("./tournaments").then(({ TournamentPage }) => () => <TournamentPage id={where.tournament} />),
      };
    case "new-tournament":
      return {
        key: "new-tournament",
        load: () => import("./tournaments/desk").then(({ NewTournament }) => NewTournament),
      };
    case "desk":
      return {
        key: `desk ${where.tournament}`,
        load: () =>
          import("./tournaments/desk").then(({ Desk }) => () => <Desk id={where.tournament} />),
      };
  }
}

// Draw the home page once, with its titles, if they arrive as early as the page does.
function home(): Promise<ComponentType> {
  void learnTitles();
  return import("./house").then(({ Home }) => Home);
}

/** first: the page that was opened first. */
function App({ first }: { first: { key: string; page: Fetched } }) {
  const where = route.value;
  useEffect(() => void (document.documentElement.dataset["page"] = where.page), [where]);
  const { key, load } = pageOf(where);
  return (
    <>
      <Reach />
      <Later key={`${key} ${changes.value}`} load={load} there={key === first.key ? first.page : null} />
    </>
  );
}

showFailures();
if (!embedded) startShell();
keepFocus();
void whoAmI();
effect(() => (me.value, line.renew()));
void begun();

/** Draw the first page as soon as it is complete. */
async function begun(): Promise<void> {
  const { key, load } = pageOf(route.value);
  await parsed(); // the end of the page names its styles: a script that runs before would load them a second time
  const part = load();
  await startLocale();
  const [page] = await Promise.all([fetched(part), dressed()]);
  startNotices();
  const place = document.getElementById("ludarium")!;
  place.replaceChildren(); // remove the placeholder
  render(<App first={{ key, page }} />, place);
  settle();
}

/** Wait until the browser has parsed the whole page; the first script may run earlier. */
async function parsed(): Promise<void> {
  if (document.readyState === "loading")
    await new Promise((done) => document.addEventListener("DOMContentLoaded", done, { once: true }));
}

async function dressed(): Promise<void> {
  await Promise.all([...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].map(styled));
}

function styled(link: HTMLLinkElement): unknown {
  return (
    link.sheet ??
    new Promise((done) => {
      for (const event of ["load", "error"]) link.addEventListener(event, done);
    })
  );
}
