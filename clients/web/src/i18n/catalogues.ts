// The files of the interface's texts: each chapter in one language is a file of its own, loaded when a page uses it.
export const CATALOGUES = {
  base: { en: () => import("./en.json"), es: () => import("./es.json"), hu: () => import("./hu.json") },
  admin: {
    en: () => import("../admin/en.json"),
    es: () => import("../admin/es.json"),
    hu: () => import("../admin/hu.json"),
  },
  bell: {
    en: () => import("../bell/en.json"),
    es: () => import("../bell/es.json"),
    hu: () => import("../bell/hu.json"),
  },
  chat: {
    en: () => import("../chat/en.json"),
    es: () => import("../chat/es.json"),
    hu: () => import("../chat/hu.json"),
  },
  house: {
    en: () => import("../house/en.json"),
    es: () => import("../house/es.json"),
    hu: () => import("../house/hu.json"),
  },
  people: {
    en: () => import("../people/en.json"),
    es: () => import("../people/es.json"),
    hu: () => import("../people/hu.json"),
  },
  replay: {
    en: () => import("../replay/en.json"),
    es: () => import("../replay/es.json"),
    hu: () => import("../replay/hu.json"),
  },
  tournaments: {
    en: () => import("../tournaments/en.json"),
    es: () => import("../tournaments/es.json"),
    hu: () => import("../tournaments/hu.json"),
  },
};
export type Chapter = keyof typeof CATALOGUES;

const PAGES: readonly [RegExp, Chapter][] = [
  [/^\/((games|settings|tournaments)\b.*|(p|rules)\/.+)?$/, "house"],
  [/\/replay$|^\/imports\//, "replay"],
  [/^\/tournaments/, "tournaments"],
  [/^\/(account|recover|reset|device|oauth)/, "people"],
  [/^\/admin/, "admin"],
];

/** Return the chapters of this address's page besides the common ones: they are requested before its scripts have arrived. */
export function chaptersAt(path: string): Chapter[] {
  return ["base", ...PAGES.filter(([page]) => page.test(path)).map(([, chapter]) => chapter)];
}
