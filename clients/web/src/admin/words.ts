// The texts of the moderators' page.
import { chapter } from "../i18n";

export const { say: w } = chapter("admin");
