// The words of the interface, in one language. Games bring their own: see table/words.ts.
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

/** Fetches the words of a chapter, and says how to begin to speak them. */
type Learn = (locale: Locale) => Promise<() => void>;
type Told<C extends Chapter> = Awaited<ReturnType<(typeof CATALOGUES)[C]["en"]>>["default"];
const chapters: Learn[] = [];

/** A chapter of the words, in the language that is spoken. */
export function chapter<C extends Chapter>(name: C) {
  const words = signal({} as Told<C>);
  const fetched: Record<Locale, () => Promise<{ default: Told<C> }>> = CATALOGUES[name];
  chapters.push(async (asked) => {
    const { default: found } = await fetched[asked]();
    return () => void (words.value = found);
  });
  /** A message with its arguments. The build compiles the catalogues (vite.config.js), of which their types know nothing. */
  const say = (word: keyof Told<C>, ...params: (string | number)[]): string =>
    formatted(locale.value, (words.value[word] as Compiled | undefined) ?? "", named(params.map(argument))); // "": on their way
  const knows = (word: string): word is keyof Told<C> & string => word in words.value;
  return { say, knows };
}

/** A part of the client, when its words are there too. */
export async function withWords<T>(part: Promise<T>): Promise<T> {
  const found = await part;
  await setLocale(locale.value);
  return found;
}

/** A day, or a day and the time, as one writes them here. */
export function dated(time: string | number, clock = false): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", ...(clock && { timeStyle: "short" }) }).format(
    new Date(time),
  );
}

/** In English where the words that were asked for cannot be had. */
export function startLocale(): Promise<void> {
  return setLocale(localeAsked()).catch(() => setLocale("en"));
}

const base = chapter("base");
export type Word = keyof Told<"base">;
export const t = base.say;

/** A count in words: of the forms that a word has (`cards.one`, else `cards`) the one that the language wants. */
export function counted(word: Word, count: number): string {
  const form = `${word}.${new Intl.PluralRules(locale.value).select(count)}`;
  return t(base.knows(form) ? form : word, count);
}

function argument(param: string | number) {
  return { text: isolated(String(param)), number: Number(param) || 0 };
}
