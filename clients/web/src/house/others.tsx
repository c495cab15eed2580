// The other pages of this folder: loaded together, with their texts.
export { Games } from "./games";
export { PlayerPage } from "./player";
export { Rules } from "./rules";
export { Settings } from "./settings";
