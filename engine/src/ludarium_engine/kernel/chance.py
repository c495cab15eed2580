"""Numbers from a secret seed: anybody who knows the seed can draw every one of them again.

The k-th block of the n-th draw of a slot is HMAC-SHA-256(seed, "slot/n/k"): sixteen big-endian 16-bit numbers.
A number below a bound is the first one under the greatest multiple of the bound, modulo the bound (rejection sampling,
no bias). Each slot draws from a stream of its own and counts its draws in the state: taking one back shifts no other.
"""
from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct

NUMBERS = 1 << 16                               # how many different ones a stream yields
unpack_numbers = Struct(">16H").unpack


class Chance:
    """The random numbers of one table, from 32 secret bytes."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self.seed = seed

    def numbers(self, stream: str, nth: int) -> Iterator[int]:
        for block in count():
            yield from unpack_numbers(hmac.digest(self.seed, f"{stream}/{nth}/{block}".encode(), "sha256"))

    def below(self, bound: int, stream: str, nth: int) -> int:
        return draw(bound, self.numbers(stream, nth))

    def several_below(self, n: int, bound: int, stream: str, nth: int) -> list[int]:
        """Return n numbers of one draw."""
        numbers = self.numbers(stream, nth)
        return [draw(bound, numbers) for _ in range(n)]

    def shuffled(self, pile: Sequence[int], stream: str, nth: int) -> tuple[int, ...]:
        """Fisher-Yates from the top down (Durstenfeld 1964)."""
        cards, numbers = list(pile), self.numbers(stream, nth)
        for i in range(len(cards) - 1, 0, -1):
            j = draw(i + 1, numbers)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)


def draw(bound: int, numbers: Iterator[int]) -> int:
    """Raises ValueError for a bound that no number can be below, or that not all can be."""
    if not 0 < bound <= NUMBERS:
        raise ValueError(f"{bound} is no bound")
    limit = NUMBERS - NUMBERS % bound
    return next(filter(limit.__gt__, numbers)) % bound
