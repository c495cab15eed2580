"""Track which cards in players' hands are publicly known.

A card is known if all players saw the card enter the hand and it has not left since. Players are not asked for cards that,
according to public knowledge, they cannot hold.
"""
from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from .cards import COPIES, RANK
from .state import Kingdoms, T, at


def cards_on_table(s: Kingdoms) -> list[int]:
    return [*s.attack, *chain.from_iterable(s.defence)]


def could_match(s: Kingdoms, seat: int) -> bool:
    """Return whether, by public knowledge, a seat may hold a card of a rank on the table."""
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
