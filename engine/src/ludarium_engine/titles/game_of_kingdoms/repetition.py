"""Detect games without progress: a repeated position, or too many rounds.

Progress is a card drawn or discarded.
"""
from __future__ import annotations

from hashlib import blake2b

from .cards import DECK
from .state import Kingdoms, T, at

OCCURRENCES = 3
"""Occurrences of a position that make the game a draw."""
MOST_ROUNDS = 60
"""Consecutive rounds without progress that make a draw.

Simple bots need up to 8, random players about 30.
"""
HASH = 6
"""Size of a position's hash in bytes, small enough for exact numbers in JSON."""
NEXT = 255
"""Separates hands: no card has this id."""


def record_position(t: T, attacker: int) -> None:
    """Record the position of a new round; after progress, forget earlier ones."""
    now, kept = progress(t.s), t.s.positions
    earlier = kept[1:] if kept and kept[0] == now else []
    t.set(at.positions, [now, *earlier, position(t.s, attacker)])


def progress(s: Kingdoms) -> int:
    """Return a number that grows with each card drawn or discarded and never falls."""
    return len(DECK) + len(s.pile) - len(s.deck) - len(s.turned)


def position(s: Kingdoms, attacker: int) -> int:
    """Return a hash of the attacker, the hand sizes, and publicly known cards.

    Without progress, each played card becomes publicly known, so equal positions mean equal hands.
    """
    hands = [bytes([len(hand), *sorted(known), NEXT]) for hand, known in zip(s.hand, s.known, strict=True)]
    return int.from_bytes(blake2b(bytes([attacker]) + b"".join(hands), digest_size=HASH).digest(), "big")


def repeats(s: Kingdoms) -> bool:
    return s.positions[1:].count(s.positions[-1]) == OCCURRENCES


def stalls(s: Kingdoms) -> bool:
    """Return whether there were MOST_ROUNDS rounds without progress."""
    return len(s.positions) - 2 >= MOST_ROUNDS
