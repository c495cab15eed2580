// Compiled messages in ICU MessageFormat 1: the interface's own are compiled by the build, those of titles when first shown
// (table/formatting.ts). Nothing here parses the syntax.

/** A message without arguments, or its parts in turn. */
export type Compiled = string | readonly Part[];
/** Text, an argument by number or name, `#`, or a choice between parts. */
export type Part = string | number | readonly [name: string] | null | Choice;
export type Choice = readonly [name: string, kind: Kind, cases: Readonly<Record<string, readonly Part[]>>];
export type Kind = "plural" | "selectordinal" | "select";
/** The text of an argument, and the number that chooses a plural form. */
export type Argument = { readonly text: string; readonly number: number };

export type Values = Readonly<Record<string, string | number>>;

// Characters that are written from right to left or change the direction.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Keep the order of a name and of the text around it: adds isolate characters if they are needed. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

export function plain(text: string): Argument {
  return { text, number: 0 };
}

/** Return the arguments by their names in messages: `{0}` inserts the text of the first, `n0` is its number. */
export function named(given: readonly Argument[]): Values {
  return Object.fromEntries(
    given.flatMap(({ text, number }, nth) => [
      [nth, text],
      [`n${nth}`, number],
    ]),
  );
}

export function formatted(locale: string, message: Compiled, values: Values): string {
  return typeof message === "string" ? message : joined(locale, message, values, 0);
}

function joined(locale: string, parts: readonly Part[], values: Values, number: number): string {
  return parts.map((part) => said(locale, part, values, number)).join("");
}

function said(locale: string, part: Part, values: Values, number: number): string {
  if (typeof part === "string") return part;
  if (part === null) return new Intl.NumberFormat(locale, { useGrouping: "always" }).format(number);
  if (typeof part === "number" || part.length === 1) return inserted(String(part), values);
  const [name, kind, cases] = part;
  const value = values[name];
  if (value === undefined) return `{${name}}`;
  return joined(locale, chosen(locale, kind, cases, value), values, kind === "select" ? number : Number(value));
}

function inserted(name: string, values: Values): string {
  return String(values[name] ?? `{${name}}`);
}

function chosen(locale: string, kind: Kind, cases: Choice[2], value: string | number): readonly Part[] {
  const other = cases["other"]!;
  if (kind === "select") return cases[value] ?? other;
  const type = kind === "plural" ? "cardinal" : "ordinal";
  return cases[`=${value}`] ?? cases[new Intl.PluralRules(locale, { type }).select(Number(value))] ?? other;
}
