// The texts of these pages.
import { chapter } from "../i18n";

export const { say: w } = chapter("house");
