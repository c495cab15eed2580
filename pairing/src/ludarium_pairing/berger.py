"""Everybody meets everybody, two at a table."""
from __future__ import annotations

from collections.abc import Iterator


def berger(players: int, round: int) -> Iterator[tuple[int, int]]:
    """Pairs of numbers by seat, in the rounds 0 to players - 2 each pair once, after that once more with seats changed.

    An odd number of players meets one more, who is nobody: it stands for the bye.
    """
    circle = players - 1 + players % 2
    cycle, turn = divmod(round, circle)
    for ahead in range((circle + 1) // 2):
        one, other = (turn + ahead) % circle, (turn - ahead) % circle if ahead else circle
        first = turn % 2 == 0 if not ahead else ahead % 2 == 1
        yield (one, other) if first == (cycle % 2 == 0) else (other, one)
