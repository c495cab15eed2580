"""Duplicate deals: every table plays the same boards, which takes out luck."""
from __future__ import annotations

from hashlib import blake2b


def deal(seed: bytes, round: int, board: int) -> bytes:
    """Return 32 bytes of chance for a board of a round, the same at every table."""
    return blake2b(f"round {round} board {board}".encode(), digest_size=32, key=seed).digest()


def rotated(seats: tuple[str, ...], board: int) -> tuple[str, ...]:
    """Return the seating of a board: everyone moves by one seat for each board.

    Over all boards (the first is 0) everyone has had every seat.
    """
    turn = board % len(seats)
    return seats[turn:] + seats[:turn]
