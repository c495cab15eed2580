// Formats titles' texts in ICU MessageFormat 1, as engine/src/ludarium_engine/story/formatting.py does.
import { formatted, named, plain, type Argument, type Compiled, type Values } from "../i18n/messages.ts";
import { read } from "./reading.ts";

export type Texts = Readonly<Record<string, string>>;

const compiled = new Map<string, Compiled>();

/** Format a message with its arguments, in the language of its text. */
export function format(locale: string, text: string, given: readonly Argument[], others: Values = {}): string {
  if (!/[{']/.test(text)) return text;
  let message = compiled.get(text);
  if (message === undefined) compiled.set(text, (message = read(text)));
  return formatted(locale, message, { ...others, ...named(given) });
}

/** List cards: visible ones by name, equal ones once with their number, then the number of hidden ones. */
export function cardList(locale: string, texts: Texts, names: readonly string[], hidden: number): string {
  const parts = [...new Set(names)].map((name) =>
    times(locale, texts, name, names.filter((other) => other === name).length),
  );
  if (hidden || !names.length) parts.push(format(locale, texts["story.cards"] ?? "{0}", [counted(hidden)]));
  return joined(locale, texts, parts);
}

function times(locale: string, texts: Texts, name: string, count: number): string {
  return count === 1 ? name : format(locale, texts["story.times"] ?? "", [plain(name), counted(count)]);
}

const I_SOUND = /^([iíIÍ]|[hH][iíIÍ](?![aeAE]))/;

/** The message `story.last` adds the last item, and gets whether that begins with an i: "Ana e Isabel". */
function joined(locale: string, texts: Texts, [first, ...others]: readonly string[]): string {
  return others.reduce((whole, part, nth) => {
    const pair = [plain(whole), plain(part)];
    if (nth < others.length - 1) return format(locale, texts["story.list"] ?? "", pair);
    return format(locale, texts["story.last"] ?? "", pair, { sound: I_SOUND.test(part) ? "i" : "other" });
  }, first!);
}

function counted(number: number): Argument {
  return { text: String(number), number };
}
