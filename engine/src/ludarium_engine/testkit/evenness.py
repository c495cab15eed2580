"""Test with Pearson's chi-square whether counts agree with expected frequencies."""
from __future__ import annotations

from collections.abc import Hashable, Mapping
from statistics import NormalDist
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def evenness(found: Mapping[K, int], shares: Mapping[K, float]) -> float:
    """Return the p-value of Pearson's chi-square test.

    The p-value is computed by the cube root transformation of Wilson and Hilferty (1931), which is accurate enough if each
    expected count is at least 5. If a key was counted that has no expected frequency, the p-value is 0.

    Args:
        found: the counts.
        shares: the expected frequencies, in any unit.
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
