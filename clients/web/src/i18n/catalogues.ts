// Where the words of the interface are: each language is a file of its own, which is fetched once.
import type { Locale } from "../look";
import type en from "./en.json";

export type Catalogue = Record<keyof typeof en, string>;

export const CATALOGUES: Record<Locale, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en.json"),
  es: () => import("./es.json"),
  hu: () => import("./hu.json"),
};
