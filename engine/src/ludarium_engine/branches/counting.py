"""Deal cards to groups of tokens at random, by exact counting.

A token represents a hidden card. All tokens in a group could be the same cards.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from random import Random

from ludarium_engine.kernel.identities import Group


def connected_groups(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield the connected components of groups, where shared cards connect two groups."""
    left = sorted(groups, key=lambda group: min(group.tokens))
    while left:
        part, cards = [left.pop(0)], set[int]()
        for group in part:
            cards |= group.cards
            part += [other for other in left if not cards.isdisjoint(other.cards)]
            left = [other for other in left if other not in part]
        yield part


class DealCounter:
    """A counter that counts deals and draws them with equal probability.

    Cards are of one kind if the same groups can have them, and deals are counted by how many cards of each kind each group has.
    This computes the permanent of a 0-1 matrix with few distinct rows and columns, by dynamic programming. Since exact counting
    allows exact sampling (Jerrum, Valiant, Vazirani 1986), all deals are equally likely.
    """

    def __init__(self, groups: Sequence[Group], cards: Sequence[int] | None = None) -> None:
        """Prepare the counts.

        Args:
            groups: the groups of tokens.
            cards: the cards to deal; by default all that any group can have.
        """
        self.groups = sorted(groups, key=lambda group: (len(group.cards), min(group.tokens)))
        kinds: dict[tuple[int, ...], list[int]] = {}
        for card in sorted({card for group in groups for card in group.cards} if cards is None else cards):
            kinds.setdefault(tuple([n for n, group in enumerate(self.groups) if card in group.cards]), []).append(card)
        self.kinds = [*kinds.items()]
        self.ways = cache(self.count)

    @property
    def deals(self) -> int:
        """The number of deals, not counting the order within groups."""
        return self.ways(0, tuple([len(cards) for _, cards in self.kinds]))

    def count(self, nth: int, left: tuple[int, ...]) -> int:
        """Count the deals of the remaining cards to the groups from index `nth` on.

        Args:
            nth: the index of the next group.
            left: the number of remaining cards of each kind.
        """
        return sum(ways for _, ways in self.choices(nth, left)) if nth < len(self.groups) else int(not any(left))

    def choices(self, nth: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield each way to fill group `nth`, with the number of deals that contain it.

        A way to fill a group is a tuple with the number of cards of each kind.
        """
        for taken in self.splits(nth, 0, left, len(self.groups[nth].tokens)):
            ways = self.ways(nth + 1, tuple([a - b for a, b in zip(left, taken, strict=True)]))
            for a, b in zip(left, taken, strict=True) if ways else ():
                ways *= comb(a, b)
            if ways:
                yield taken, ways

    def splits(self, nth: int, kind: int, left: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
        """Yield tuples with the number of cards of each kind for group `nth`.

        The tuples begin at index `kind`, and their numbers add up to `most`. Cards that no later group can have must all go to
        this group.
        """
        if kind == len(left):
            yield from [()] if not most else []
            return
        groups = self.kinds[kind][0]
        upto = min(left[kind], most) if nth in groups else 0
        least = left[kind] if nth in groups and groups[-1] == nth else 0
        for n in range(least, upto + 1):
            yield from ((n, *rest) for rest in self.splits(nth, kind + 1, left, most - n))

    def dealt(self, rng: Random) -> dict[int, int]:
        """Draw a deal, a mapping from tokens to cards; all deals are equally likely."""
        cards = [rng.sample(cards, len(cards)) for _, cards in self.kinds]
        found: dict[int, int] = {}
        for nth, group in enumerate(self.groups):
            taken = self.drawn(nth, tuple(map(len, cards)), rng)
            here = [pile.pop() for pile, n in zip(cards, taken, strict=True) for _ in range(n)]
            rng.shuffle(here)
            found.update(zip(sorted(group.tokens), here, strict=True))
        return found

    def drawn(self, nth: int, left: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        """Draw the number of cards of each kind in group `nth`.

        The probability of a draw is proportional to the number of deals that contain it.
        """
        at = rng.randrange(self.ways(nth, left))
        for taken, ways in self.choices(nth, left):
            at -= ways
            if at < 0:
                return taken
        raise AssertionError("more deals than were counted")  # pragma: no cover
