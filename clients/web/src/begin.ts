// What each page begins with: its first questions and its words are on their way before the scripts that will read them are here.
import { askEarly } from "./early";
import { CATALOGUES, chaptersAt } from "./i18n/catalogues";
import { dress, localeAsked } from "./look";
import "./style/base.css";
import "./style/pages.css";

dress();
askEarly();
for (const chapter of chaptersAt(location.pathname)) CATALOGUES[chapter][localeAsked()]().catch(console.warn);
void import("./app");
