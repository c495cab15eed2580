"""Pearson's chi-square test: do counts agree with the expected shares?"""
from __future__ import annotations

from collections.abc import Hashable, Mapping
from statistics import NormalDist
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def evenness(found: Mapping[K, int], shares: Mapping[K, float]) -> float:
    """Return the p-value of Pearson's chi-square test; 0 if a key has no share.

    Uses the cube root transformation of Wilson and Hilferty (1931), accurate enough if each expected count is at least 5.

    Args:
        found: the counts.
        shares: the expected counts, in any unit.
    """
    total, units = sum(found.values()), sum(shares.values())
    if not found.keys() <= shares.keys():
        return 0.0
    if len(shares) < 2:
        return 1.0
    expected = {key: total * share / units for key, share in shares.items()}
    square, free = sum((found.get(key, 0) - n) ** 2 / n for key, n in expected.items()), len(shares) - 1
    deviation = ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    return 1 - NormalDist().cdf(deviation)
