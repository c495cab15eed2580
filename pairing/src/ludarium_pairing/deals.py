"""Deal the same boards to every table, so that luck counts less (duplicate)."""
from __future__ import annotations

from hashlib import blake2b


def deal(seed: bytes, round: int, board: int) -> bytes:
    """Return 32 random bytes for a board of a round, the same at every table."""
    return blake2b(f"round {round} board {board}".encode(), digest_size=32, key=seed).digest()


def rotated(seats: tuple[str, ...], board: int) -> tuple[str, ...]:
    """Return the seating for a board, where everyone moves on by one seat per board.

    The first board is 0. After as many boards as seats, every player has had every seat.
    """
    turn = board % len(seats)
    return seats[turn:] + seats[:turn]
