/** Cards of which one stands for all that are alike, in the order in which the first of each came; null is like nothing. */
export function alike(cards: readonly number[], likeness: (card: number) => string | null): number[][] {
  const groups = new Map<string | symbol, number[]>();
  for (const card of cards) {
    const like = likeness(card) ?? Symbol();
    groups.set(like, [...(groups.get(like) ?? []), card]);
  }
  return [...groups.values()];
}

type Facts = Readonly<Record<string, unknown>>;

/** Cards by the word of a printed fact, as first met, each group ordered by other facts; what lacks the fact comes last. */
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
