// The texts of the chat.
import { chapter } from "../i18n";

export const { say: w } = chapter("chat");
