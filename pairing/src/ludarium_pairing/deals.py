"""Duplicate deals: every table plays the same boards, so that luck is the same for all and only seats are compared."""
from __future__ import annotations

from hashlib import blake2b


def deal(seed: bytes, round: int, board: int) -> bytes:
    """32 bytes of chance for a game, the same at every table that plays this board in this round."""
    return blake2b(f"round {round} board {board}".encode(), digest_size=32, key=seed).digest()


def rotated(seats: tuple[str, ...], board: int) -> tuple[str, ...]:
    """Who sits where on the boards after the first (0): everybody one seat on, so that all have every seat."""
    turn = board % len(seats)
    return seats[turn:] + seats[:turn]
