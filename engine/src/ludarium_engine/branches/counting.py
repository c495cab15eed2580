"""Deals of cards to groups of tokens, each as likely: how many there are is counted first."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from random import Random

from ludarium_engine.kernel.knowledge import Group


def connected_groups(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield groups that have cards in common, directly or by others."""
    left = sorted(groups, key=lambda group: min(group.tokens))
    while left:
        part, cards = [left.pop(0)], set[int]()
        for group in part:
            cards |= group.cards
            part += [other for other in left if not cards.isdisjoint(other.cards)]
            left = [other for other in left if other not in part]
        yield part


class DealCounter:
    """Counts deals by how many cards of each kind come into which group: cards of a kind may be in the same groups.

    It computes the permanent of a matrix of zeros and ones with few different rows and columns by dynamic programming, and
    draws along the counts, so each deal is as likely (Jerrum, Valiant, Vazirani 1986: exact counting gives exact sampling).
    """

    def __init__(self, groups: Sequence[Group], cards: Sequence[int] | None = None) -> None:
        """cards: those to be dealt, if not all that the groups may be."""
        self.groups = sorted(groups, key=lambda group: (len(group.cards), min(group.tokens)))
        kinds: dict[tuple[int, ...], list[int]] = {}
        for card in sorted({card for group in groups for card in group.cards} if cards is None else cards):
            kinds.setdefault(tuple([n for n, group in enumerate(self.groups) if card in group.cards]), []).append(card)
        self.kinds = [*kinds.items()]
        self.ways = cache(self.count)

    @property
    def deals(self) -> int:
        """How many deals there are, but for the order in groups."""
        return self.ways(0, tuple([len(cards) for _, cards in self.kinds]))

    def count(self, nth: int, left: tuple[int, ...]) -> int:
        """Deals into the groups from this one on, with so many cards of each kind."""
        return sum(ways for _, ways in self.choices(nth, left)) if nth < len(self.groups) else int(not any(left))

    def choices(self, nth: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """How many cards of each kind may come into this group, and how many deals have it so, but for the order in groups."""
        for taken in self.splits(nth, 0, left, len(self.groups[nth].tokens)):
            ways = self.ways(nth + 1, tuple([a - b for a, b in zip(left, taken, strict=True)]))
            for a, b in zip(left, taken, strict=True) if ways else ():
                ways *= comb(a, b)
            if ways:
                yield taken, ways

    def splits(self, nth: int, kind: int, left: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
        """Ways to make up the number of the group's tokens. What may be in no later group comes here."""
        if kind == len(left):
            yield from [()] if not most else []
            return
        groups = self.kinds[kind][0]
        upto = min(left[kind], most) if nth in groups else 0
        least = left[kind] if nth in groups and groups[-1] == nth else 0
        for n in range(least, upto + 1):
            yield from ((n, *rest) for rest in self.splits(nth, kind + 1, left, most - n))

    def dealt(self, rng: Random) -> dict[int, int]:
        """Draw a deal: by token its card."""
        cards = [rng.sample(cards, len(cards)) for _, cards in self.kinds]
        found: dict[int, int] = {}
        for nth, group in enumerate(self.groups):
            taken = self.drawn(nth, tuple(map(len, cards)), rng)
            here = [pile.pop() for pile, n in zip(cards, taken, strict=True) for _ in range(n)]
            rng.shuffle(here)
            found.update(zip(sorted(group.tokens), here, strict=True))
        return found

    def drawn(self, nth: int, left: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        at = rng.randrange(self.ways(nth, left))
        for taken, ways in self.choices(nth, left):
            at -= ways
            if at < 0:
                return taken
        raise AssertionError("more deals than were counted")  # pragma: no cover
