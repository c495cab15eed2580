// The interface's texts in the current language. Games bring their own: see table/words.ts.
import { batch, signal } from "@preact/signals";
import { kept } from "../embedded";
import { KEPT_LOCALE, localeAsked, type Locale } from "../look";
import { CATALOGUES, type Chapter } from "./catalogues";
import { formatted, isolated, named, type Compiled } from "./messages";

export const locale = signal<Locale>("en");

export async function chooseLocale(chosen: Locale): Promise<void> {
  await setLocale(chosen);
  kept.setItem(KEPT_LOCALE, chosen);
}

async function setLocale(chosen: Locale): Promise<void> {
  const speak = await Promise.all(chapters.map((learn) => learn(chosen)));
  batch(() => {
    for (const begin of speak) begin();
    locale.value = chosen;
  });
  document.documentElement.lang = chosen;
}

/** Loads the texts of a chapter, and returns a function that puts them into use. */
type Learn = (locale: Locale) => Promise<() => void>;
type Told<C extends Chapter> = Awaited<ReturnType<(typeof CATALOGUES)[C]["en"]>>["default"];
const chapters: Learn[] = [];

/** A chapter of texts in the current language. */
export function chapter<C extends Chapter>(name: C) {
  const words = signal({} as Told<C>);
  const fetched: Record<Locale, () => Promise<{ default: Told<C> }>> = CATALOGUES[name];
  chapters.push(async (asked) => {
    const { default: found } = await fetched[asked]();
    return () => void (words.value = found);
  });
  /** Return a message with its arguments. The build compiles the catalogues (vite.config.js), which their types do not show. */
  const say = (word: keyof Told<C>, ...params: (string | number)[]): string =>
    formatted(locale.value, (words.value[word] as Compiled | undefined) ?? "", named(params.map(argument))); // "": loading
  const knows = (word: string): word is keyof Told<C> & string => word in words.value;
  return { say, knows };
}

/** Return a part of the client once its texts have loaded too. */
export async function withWords<T>(part: Promise<T>): Promise<T> {
  const found = await part;
  await setLocale(locale.value);
  return found;
}

/** Return a date, or a date and time, in the reader's format. */
export function dated(time: string | number, clock = false): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", ...(clock && { timeStyle: "short" }) }).format(
    new Date(time),
  );
}

/** Falls back to English if the requested texts cannot be loaded. */
export function startLocale(): Promise<void> {
  return setLocale(localeAsked()).catch(() => setLocale("en"));
}

const base = chapter("base");
export type Word = keyof Told<"base">;
export const t = base.say;

/** Return a count in words, by the plural form that the language requires (`cards.one`, otherwise `cards`). */
export function counted(word: Word, count: number): string {
  const form = `${word}.${new Intl.PluralRules(locale.value).select(count)}`;
  return t(base.knows(form) ? form : word, count);
}

function argument(param: string | number) {
  return { text: isolated(String(param)), number: Number(param) || 0 };
}
