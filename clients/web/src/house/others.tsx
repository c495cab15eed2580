// The other pages about the house: loaded together, with its words.
export { Games } from "./games";
export { PlayerPage } from "./player";
export { Rules } from "./rules";
export { Settings } from "./settings";
