// What each page begins with: its first questions are on their way before the scripts that will read the answers are here.
import { askEarly } from "./early";
import { dress } from "./look";
import "./style/base.css";
import "./style/pages.css";

dress();
askEarly();
void import("./app");
