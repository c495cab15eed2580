"""Detect games without progress, i.e. repeated positions or too many rounds.

A game makes progress when a card is drawn or discarded.
"""
from __future__ import annotations

from hashlib import blake2b

from .cards import DECK
from .state import Kingdoms, T, at

OCCURRENCES = 3
"""The number of occurrences of a position that make the game a draw."""
MOST_ROUNDS = 60
"""The number of consecutive rounds without progress that make the game a draw.

Simple bots need up to 8 such rounds, random players about 30.
"""
HASH = 6
"""The size of a position's hash in bytes, small enough for exact numbers in JSON."""
NEXT = 255
"""The byte that separates hands, which is no card's id."""


def record_position(t: T, attacker: int) -> None:
    """Record the position at the start of a round; forget older ones after progress."""
    now, kept = progress(t.s), t.s.positions
    earlier = kept[1:] if kept and kept[0] == now else []
    t.set(at.positions, [now, *earlier, position(t.s, attacker)])


def progress(s: Kingdoms) -> int:
    """Return a number that increases whenever a card is drawn or discarded."""
    return len(DECK) + len(s.pile) - len(s.deck) - len(s.turned)


def position(s: Kingdoms, attacker: int) -> int:
    """Return a hash of the attacker, the hand sizes, and publicly known cards.

    As long as there is no progress, each played card becomes publicly known, so equal positions mean equal hands.
    """
    hands = [bytes([len(hand), *sorted(known), NEXT]) for hand, known in zip(s.hand, s.known, strict=True)]
    return int.from_bytes(blake2b(bytes([attacker]) + b"".join(hands), digest_size=HASH).digest(), "big")


def repeats(s: Kingdoms) -> bool:
    return s.positions[1:].count(s.positions[-1]) == OCCURRENCES


def stalls(s: Kingdoms) -> bool:
    """Return whether there have been MOST_ROUNDS rounds without progress."""
    return len(s.positions) - 2 >= MOST_ROUNDS
