"""Compute the cost of seating two entries at the same table."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ludarium_pairing.history import PastRounds

REPEAT = 1 << 40
"""The cost of an earlier meeting, which exceeds the cost of all level differences at a table together."""
FORBIDDEN = 1 << 80
WIDEST_GAP = (1 << 16) - 1


class PairCosts:
    """The costs of seating pairs of entries at the same table.

    Forbidden pairs cost most, then repeats. The squared difference between two `levels` is the smallest part.
    """

    def __init__(self, past: PastRounds, levels: Sequence[int], forbidden: frozenset[tuple[int, int]]) -> None:
        self.past, self.levels, self.forbidden = past, levels, forbidden

    def between(self, one: int, other: int) -> int:
        gap = min(abs(self.levels[one] - self.levels[other]), WIDEST_GAP)
        cost = gap * gap + REPEAT * self.past.met[one].get(other, 0)
        return cost + FORBIDDEN if self.forbidden and (one, other) in self.forbidden else cost

    def to(self, one: int, table: Sequence[int], leaving: int) -> int:
        """Return the cost of seating `one` at a table in place of `leaving`."""
        met, levels, mine, cost = self.past.met[one], self.levels, self.levels[one], 0
        for other in table:
            if other != one and other != leaving:
                gap = min(abs(mine - levels[other]), WIDEST_GAP)
                cost += gap * gap
                if other in met:
                    cost += REPEAT * met[other]
                if self.forbidden and (one, other) in self.forbidden:
                    cost += FORBIDDEN
        return cost

    def within(self, table: Sequence[int]) -> int:
        return sum(self.between(one, other) for one, other in combinations(table, 2))
