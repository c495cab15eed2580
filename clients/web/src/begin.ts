// Starts the first requests and the texts of a page before the scripts that read them have arrived.
import { askEarly } from "./early";
import { CATALOGUES, chaptersAt } from "./i18n/catalogues";
import { dress, localeAsked } from "./look";
import "./style/base.css";
import "./style/pages.css";

dress();
askEarly();
for (const chapter of chaptersAt(location.pathname)) CATALOGUES[chapter][localeAsked()]().catch(console.warn);
void import("./app");
