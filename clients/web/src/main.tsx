import { render } from "preact";
import { useEffect } from "preact/hooks";
import { whoAmI } from "./guest";
import { startLocale } from "./i18n";
import { Home } from "./pages/home";
import { NewTable } from "./pages/new";
import { TablePage } from "./pages/table";
import { Later } from "./parts/later";
import { route } from "./route";
import { startTheme } from "./theme";
import "./style/base.css";
import "./style/pages.css";
import "./style/table.css";
import "./style/cards.css";
import "./style/map.css";
import "./style/choosing.css";
import "./style/narrow.css";

function App() {
  const where = route.value;
  useEffect(() => void (document.documentElement.dataset["page"] = where.page), [where]);
  if (where.page === "new") return <NewTable id={where.ruleset} key={where.ruleset} />;
  if (where.page === "table") return <TablePage id={where.table} key={where.table} />;
  if (where.page === "replay") return <Later load={() => import("./replay").then(({ ReplayPage }) => () => <ReplayPage id={where.table} />)} key={`replay ${where.table}`} />;
  if (where.page === "embed") return <Later load={() => import("./embed").then(({ Embed }) => () => <Embed {...where} />)} />;
  if (where.page === "people") return <Later load={() => import("./people").then(({ PAGES }) => PAGES[where.at])} key={where.at} />;
  if (where.page === "admin") return <Later load={() => import("./pages/admin").then(({ Admin }) => Admin)} />;
  return <Home />;
}

startTheme();
void whoAmI();
// Where its words cannot be had the page is there in English.
void startLocale().catch(console.warn).then(() => render(<App />, document.getElementById("ludarium")!));
