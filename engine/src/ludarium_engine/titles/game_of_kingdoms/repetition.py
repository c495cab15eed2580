"""End a game without progress: a position that repeats, or too many rounds in which no card is drawn or discarded."""
from __future__ import annotations

from hashlib import blake2b

from .cards import DECK
from .state import Kingdoms, T, at

OCCURRENCES = 3
"""Of a position; the last one is a draw."""
MOST_ROUNDS = 60
"""In a row without progress. Simple bots need 8 at most, random players about 30."""
HASH = 6
"""Bytes, so that the number is exact in JSON everywhere."""
NEXT = 255
"""Separates hands: no card has this id."""


def record_position(t: T, attacker: int) -> None:
    """Keep the position in which a round begins. Progress makes the earlier ones impossible."""
    now, kept = progress(t.s), t.s.positions
    earlier = kept[1:] if kept and kept[0] == now else []
    t.set(at.positions, [now, *earlier, position(t.s, attacker)])


def progress(s: Kingdoms) -> int:
    """A number that grows with each card drawn or discarded and never falls."""
    return len(DECK) + len(s.pile) - len(s.deck) - len(s.turned)


def position(s: Kingdoms, attacker: int) -> int:
    """A hash of the attacker, the sizes of the hands, and the cards that everybody knows to be in them.

    Without progress, a card that is played from a hand becomes known. So equal positions then mean equal hands.
    """
    hands = [bytes([len(hand), *sorted(known), NEXT]) for hand, known in zip(s.hand, s.known, strict=True)]
    return int.from_bytes(blake2b(bytes([attacker]) + b"".join(hands), digest_size=HASH).digest(), "big")


def repeats(s: Kingdoms) -> bool:
    return s.positions[1:].count(s.positions[-1]) == OCCURRENCES


def stalls(s: Kingdoms) -> bool:
    """The first position is that before the first of these rounds."""
    return len(s.positions) - 2 >= MOST_ROUNDS
