"""What everybody remembers of the hands: the cards that were seen to go into each and have not come out since.

So nobody is asked for a card that by all that was public they cannot hold.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .cards import COPIES, RANK
from .state import Kingdoms, T, at


def on_table(s: Kingdoms) -> list[int]:
    return s.attack + [card for zone in s.defence for card in zone]


def could_match(s: Kingdoms, seat: int) -> bool:
    """The seat may hold a card of a rank that lies on the table: one that it was seen to get, or one that nobody has seen."""
    wanted = {RANK[card] for card in on_table(s)}
    if any(RANK[card] in wanted for card in s.known[seat]):
        return True
    found = Counter(RANK[card] for card in [*on_table(s), *s.pile, *s.turned, *(card for hand in s.known for card in hand)])
    return len(s.hand[seat]) > len(s.known[seat]) and any(found[rank] < COPIES for rank in wanted)


def seen_to_get(t: T, seat: int, cards: Iterable[int]) -> None:
    t.set(at.known[seat], [*t.s.known[seat], *cards])


def seen_to_lose(t: T, seat: int, cards: Iterable[int]) -> None:
    gone = {*cards}
    t.set(at.known[seat], [card for card in t.s.known[seat] if card not in gone])
