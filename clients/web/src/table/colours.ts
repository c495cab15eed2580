// Colours for values without one: words for colours get their colour, and all others a hue.
import type { Ruleset } from "../api/types";

export type Tint = { "--hue": string; "--strength": string };
const NAMED: Record<string, [hue: number, strength: number]> = {
  red: [25, 1],
  orange: [55, 1],
  yellow: [90, 1],
  green: [150, 1],
  blue: [255, 1],
  purple: [310, 1],
  white: [85, 0.12],
  black: [260, 0.1],
};
const PLAIN = tint(90, 0.15);
const GOLDEN = 137.5;
const FIRST = 35;

function tint(hue: number, strength: number): Tint {
  return { "--hue": String(Math.round(hue) % 360), "--strength": String(strength) };
}

/** Return the colour that an English word names, if it names one. */
export function namedColour(word: string): Tint | null {
  return NAMED[word] ? tint(...NAMED[word]) : null;
}

/** Return the nth hue of a sequence in which neighbours differ clearly. */
export function nthHue(nth: number): Tint {
  return tint(FIRST + nth * GOLDEN, 0.85);
}

/** Return a title's own colour, or else the nth of a sequence. */
export function tintOfTitle({ art }: Pick<Ruleset, "art">, nth: number): Tint {
  return art ? tint(art.hue, art.strength) : nthHue(nth);
}

/** Give the whole page a title's colour; return a function that takes it away. */
export function dressedAs({ art }: Pick<Ruleset, "art">): () => void {
  const { style } = document.documentElement;
  if (art) {
    style.setProperty("--title-hue", String(art.hue));
    style.setProperty("--title-strength", String(art.strength));
  }
  return () => {
    for (const name of ["--title-hue", "--title-strength"]) style.removeProperty(name);
  };
}

/** Return a function that colours cards by the fact that the ruleset names. */
export function tintsOf(ruleset: Ruleset): (facts: Record<string, unknown>) => Tint {
  const fact = ruleset.face?.tint;
  if (!fact) return () => PLAIN;
  const values = [
    ...new Set(
      ruleset.cards
        .map((card) => card.facts[fact])
        .filter(Boolean)
        .map(String),
    ),
  ];
  const tints = new Map(values.map((value, nth) => [value, namedColour(value) ?? nthHue(nth)]));
  return (facts) => tints.get(String(facts[fact])) ?? PLAIN;
}
