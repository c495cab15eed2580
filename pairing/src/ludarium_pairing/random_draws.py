"""Draw reproducible random numbers from a seed, a label and a counter.

The numbers are BLAKE2b hashes of these.
"""
from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")
RANGE = 1 << 64


class RandomDraws:
    """A sequence of random draws for a seed and a label."""

    def __init__(self, seed: bytes, label: str) -> None:
        self.hash_of_label = blake2b(label.encode() + b"\0", digest_size=8, key=seed)
        self.counter = 0

    def draw_at(self, counter: int) -> int:
        """Return the 64 random bits for this counter."""
        hashed = self.hash_of_label.copy()
        hashed.update(counter.to_bytes(8, "big"))
        return int.from_bytes(hashed.digest(), "big")

    def below(self, limit: int) -> int:
        """Return a uniformly random number from 0 to limit - 1, by rejection sampling."""
        fair = RANGE - RANGE % limit
        while True:
            drawn = self.draw_at(self.counter)
            self.counter += 1
            if drawn < fair:
                return drawn % limit

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in random order (Fisher-Yates shuffle from the end)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
