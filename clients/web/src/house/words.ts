// The words of these pages.
import { chapter } from "../i18n";
import en from "./en.json";

export type Word = keyof typeof en;
export const w = chapter(en, { es: () => import("./es.json"), hu: () => import("./hu.json") });
