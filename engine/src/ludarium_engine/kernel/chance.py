"""Draw random numbers from a secret seed.

With the seed, every draw can be repeated and verified. Block k of draw n of a slot is HMAC-SHA-256(seed, "slot/n/k"): sixteen
big-endian 16-bit numbers. To draw a number below a bound, take the first of these numbers that is below the greatest multiple
of the bound, modulo the bound (rejection sampling, no bias). Each slot has its own stream, and the state counts the draws
from it, so undoing a draw in one slot does not change the numbers of another.
"""
from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct

NUMBERS = 1 << 16                               # a stream yields numbers from 0 to NUMBERS - 1
unpack_numbers = Struct(">16H").unpack


class Chance:
    """The random numbers of one table, from a secret seed of 32 bytes.

    A stream is named after its slot; `nth` is the number of draws from it so far.
    """

    def __init__(self, seed: bytes) -> None:
        """Create the random numbers of a seed.

        Raises:
            ValueError: the seed does not have 32 bytes.
        """
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self.seed = seed

    def numbers(self, stream: str, nth: int) -> Iterator[int]:
        """Yield the 16-bit numbers of a draw, without end."""
        for block in count():
            yield from unpack_numbers(hmac.digest(self.seed, f"{stream}/{nth}/{block}".encode(), "sha256"))

    def below(self, bound: int, stream: str, nth: int) -> int:
        """Return a number from 0 to bound - 1, each equally likely."""
        return draw(bound, self.numbers(stream, nth))

    def several_below(self, n: int, bound: int, stream: str, nth: int) -> list[int]:
        """Return n independent numbers from 0 to bound - 1 of one draw."""
        numbers = self.numbers(stream, nth)
        return [draw(bound, numbers) for _ in range(n)]

    def shuffled(self, pile: Sequence[int], stream: str, nth: int) -> tuple[int, ...]:
        """Return the pile in random order.

        Fisher-Yates from the last card down (Durstenfeld 1964).
        """
        cards, numbers = list(pile), self.numbers(stream, nth)
        for i in range(len(cards) - 1, 0, -1):
            j = draw(i + 1, numbers)
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)


def draw(bound: int, numbers: Iterator[int]) -> int:
    """Return a number from 0 to bound - 1 by rejection sampling.

    Args:
        bound: 1 to NUMBERS.
        numbers: 16-bit random numbers.

    Raises:
        ValueError: the bound is out of range.
    """
    if not 0 < bound <= NUMBERS:
        raise ValueError(f"{bound} is no bound")
    limit = NUMBERS - NUMBERS % bound
    return next(filter(limit.__gt__, numbers)) % bound
