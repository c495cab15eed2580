/** Group cards that are alike, in the order of the first of each; null is like nothing. */
export function alike(cards: readonly number[], likeness: (card: number) => string | null): number[][] {
  const groups = new Map<string | symbol, number[]>();
  for (const card of cards) {
    const like = likeness(card) ?? Symbol();
    groups.set(like, [...(groups.get(like) ?? []), card]);
  }
  return [...groups.values()];
}

type Facts = Readonly<Record<string, unknown>>;

/**
 * Group cards by a printed fact, in the order of first appearance, and sort each group by other facts; cards without the fact
 * come last.
 */
export function grouped(
  cards: readonly number[],
  factsOf: (card: number) => Facts,
  by: string,
  then: readonly string[],
): [string, number[]][] {
  const groups = new Map<string, number[]>();
  for (const card of cards) {
    const word = [factsOf(card)[by] ?? ""].flat().join(", ");
    groups.set(word, [...(groups.get(word) ?? []), card]);
  }
  const order = (a: number, b: number) =>
    then.reduce((found, fact) => found || Number(factsOf(a)[fact] ?? 0) - Number(factsOf(b)[fact] ?? 0), 0);
  const found = [...groups].map(([word, members]): [string, number[]] => [word, members.sort(order)]);
  return found.sort(([a], [b]) => Number(a === "") - Number(b === ""));
}
