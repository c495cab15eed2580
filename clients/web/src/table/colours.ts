// Colours for what has none of its own: words for colours are taken at their word, anything else gets a hue by its name.
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
const GOLDEN = 137.5;

export function hueOf(name: string): { "--hue": string; "--strength": string } {
  const [hue, strength] = NAMED[name] ?? [hashed(name), name ? 0.8 : 0.15];
  return { "--hue": String(hue), "--strength": String(strength) };
}

function hashed(name: string): number {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return Math.round((sum * GOLDEN) % 360);
}
