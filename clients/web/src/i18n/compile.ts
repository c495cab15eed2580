// Compiles the interface's messages, in ICU MessageFormat 1, when the client is built (vite.config.js).
import { parse, type Token } from "@messageformat/parser";
import type { Compiled, Kind, Part } from "./messages.ts";

/** Throws if the message is malformed. `locale` limits the plural categories to those of the language. */
export function compile(message: string, locale: string): Compiled {
  if (!/[{']/.test(message)) return message;
  const parts = parse(message, { ...categories(locale), strict: true }).map(part);
  return parts.every((each) => typeof each === "string") ? parts.join("") : parts;
}

function categories(locale: string) {
  const of = (type: "cardinal" | "ordinal") =>
    new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories as Intl.LDMLPluralRule[];
  return { cardinal: of("cardinal"), ordinal: of("ordinal") };
}

function part(token: Token): Part {
  switch (token.type) {
    case "content":
      return token.value;
    case "argument":
      return /^\d+$/.test(token.arg) ? Number(token.arg) : [token.arg];
    case "octothorpe":
      return null;
    case "function":
      throw new Error(`Messages have no {${token.arg}, ${token.key}}`);
    default:
      return choice(token.arg, token.type, token.cases, token.pluralOffset);
  }
}

function choice(arg: string, kind: Kind, cases: { key: string; tokens: Token[] }[], offset: number | undefined): Part {
  if (offset) throw new Error(`{${arg}, ${kind}} has an offset`);
  if (!cases.some(({ key }) => key === "other")) throw new Error(`{${arg}, ${kind}} has no case "other"`);
  return [arg, kind, Object.fromEntries(cases.map(({ key, tokens }) => [key, tokens.map(part)]))];
}
