// The words of the interface, in one language. Games bring their own: see table/words.ts.
import { batch, signal } from "@preact/signals";
import { kept } from "../embedded";
import { KEPT_LOCALE, localeAsked, type Locale } from "../look";
import { filled } from "../table/filling";
import { CATALOGUES, type Catalogue } from "./catalogues";

export type Word = keyof Catalogue;

export const locale = signal<Locale>("en");
const words = signal({} as Catalogue);

export async function chooseLocale(chosen: Locale): Promise<void> {
  await setLocale(chosen);
  kept.setItem(KEPT_LOCALE, chosen);
}

async function setLocale(chosen: Locale): Promise<void> {
  const [{ default: found }] = await Promise.all([CATALOGUES[chosen](), ...chapters.map((learn) => learn(chosen))]);
  batch(() => ([words.value, locale.value] = [found, chosen]));
  document.documentElement.lang = chosen;
}

const chapters: ((locale: Locale) => Promise<void>)[] = [];

/** The words of a part of the client: English comes with it, another language when asked for. */
export function chapter<C extends Record<string, string>>(
  english: C,
  others: Record<Exclude<Locale, "en">, () => Promise<{ default: Record<keyof C, string> }>>,
) {
  const said = signal<Record<keyof C, string>>(english);
  chapters.push(async (asked) => void (said.value = asked === "en" ? english : (await others[asked]()).default));
  return (word: keyof C, ...params: (string | number)[]): string => filled(said.value[word], params.map(filling));
}

/** A part of the client, when its words are there too. */
export async function withWords<T>(part: Promise<T>): Promise<T> {
  const found = await part;
  await Promise.all(chapters.map((learn) => learn(locale.value)));
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

/** A text with {0}, {1}, ... for the parameters. */
export function t(word: Word, ...params: (string | number)[]): string {
  return filled(words.value[word], params.map(filling));
}

/** A count in words: of the forms that a word has (`cards.one`, else `cards`) the one that the language wants. */
export function counted(word: Word, count: number): string {
  const form = `${word}.${new Intl.PluralRules(locale.value).select(count)}`;
  return t(form in words.value ? (form as Word) : word, count);
}

function filling(param: string | number) {
  return { text: String(param), number: Number(param) || 0 };
}
