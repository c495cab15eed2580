// The texts of the list of notices.
import { chapter } from "../i18n";

export const { say: w, knows } = chapter("bell");
