// The texts of replays.
import { chapter } from "../i18n";

export const { say: w } = chapter("replay");
