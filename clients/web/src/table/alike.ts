/** Cards of which one stands for all that are alike, in the order in which the first of each came; null is like nothing. */
export function alike(cards: readonly number[], likeness: (card: number) => string | null): number[][] {
  const groups = new Map<string | symbol, number[]>();
  for (const card of cards) {
    const like = likeness(card) ?? Symbol();
    groups.set(like, [...(groups.get(like) ?? []), card]);
  }
  return [...groups.values()];
}
