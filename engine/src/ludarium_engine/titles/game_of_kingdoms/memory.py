"""Public knowledge of hands: cards seen to enter a hand and not to leave it.

With it, players are not asked for cards that, by public knowledge, they cannot hold.
"""
from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from .cards import COPIES, RANK
from .state import Kingdoms, T, at


def cards_on_table(s: Kingdoms) -> list[int]:
    return [*s.attack, *chain.from_iterable(s.defence)]


def could_match(s: Kingdoms, seat: int) -> bool:
    """Return whether the seat may publicly hold a card of a rank on the table."""
    table = [RANK[card] for card in cards_on_table(s)]
    if not {*table}.isdisjoint([RANK[card] for card in s.known[seat]]):
        return True
    if len(s.hand[seat]) == len(s.known[seat]):
        return False
    found = table + [RANK[card] for card in chain(s.pile, s.turned, *s.known)]
    return any([found.count(rank) < COPIES for rank in {*table}])


def add_known(t: T, seat: int, cards: Iterable[int]) -> None:
    t.set(at.known[seat], [*t.s.known[seat], *cards])


def remove_known(t: T, seat: int, cards: Iterable[int]) -> None:
    gone = {*cards}
    t.set(at.known[seat], [card for card in t.s.known[seat] if card not in gone])
