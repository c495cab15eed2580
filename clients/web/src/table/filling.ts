// The small language in which texts are written, as engine/src/ludarium_engine/story/filling.py tells of it; both are held to the same examples.

/** What stands in a blank, and the number by which its forms are chosen. */
export type Filling = { readonly text: string; readonly number: number };
export type Texts = Readonly<Record<string, string>>;

const BLANK = /\{(\d+)(?:\?([^{}]*))?\}/g;

export function filled(text: string, fillings: readonly Filling[]): string {
  return text.replace(BLANK, (_, nth: string, forms: string | undefined) => {
    const filling = fillings[Number(nth)];
    if (!filling) return "";
    return forms === undefined ? filling.text : form(forms.split("|"), filling.number);
  });
}

function form(forms: readonly string[], number: number): string {
  if (number === 0 && forms.length > 2) return forms[0]!;
  const chosen = number === 1 && forms.length > 1 ? forms.at(-2)! : forms.at(-1)!;
  return chosen.replaceAll("#", () => String(number));
}

/** Cards: those that are seen by name, alike ones once, and how many others there are. */
export function listed(texts: Texts, names: readonly string[], unseen: number): string {
  const parts = [...new Set(names)].map((name) => times(texts, name, names.filter((other) => other === name).length));
  if (unseen || !names.length) parts.push(filled(texts["story.cards"] ?? "#", [{ text: "", number: unseen }]));
  return joined(texts, parts);
}

function times(texts: Texts, name: string, count: number): string {
  return count === 1 ? name : filled(texts["story.times"] ?? "", [name, String(count)].map(plain));
}

function joined(texts: Texts, [first, ...others]: readonly string[]): string {
  return others.reduce(
    (whole, part, nth) =>
      filled(texts[nth === others.length - 1 ? "story.last" : "story.list"] ?? "", [whole, part].map(plain)),
    first!,
  );
}

// Letters that are written from right to left, and characters that change the direction.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that keeps its own order, and the order of the words and numbers next to it: between isolates where it needs them. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}

export function plain(text: string): Filling {
  return { text, number: 0 };
}
