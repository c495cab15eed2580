"""What everybody remembers of the cards that react in others' turns: which seats cannot have one in hand or deck.

Whoever buys, takes or is given a card does so before everybody's eyes, and what lies on a discard pile comes into a hand
only when the pile is shuffled or searched. So `lacks` follows from what was public, and nobody is asked for a card that
they never had or that lies in the open.
"""
from __future__ import annotations

from collections.abc import Sequence

from .cards import DECK, GROUP, REACTION
from .state import T, Valley, at

WINDOWS = ("boat", "cat", "physician", "headrest")
NOBODY = -1
WATCHED = frozenset(card for card in DECK if REACTION[card] in WINDOWS)


def may_hold(s: Valley, seat: int, name: str) -> bool:
    """By what everybody knows."""
    return bool(s.hand[seat]) and any(REACTION[card] == name for card in possible(s, seat))


def possible(s: Valley, seat: int) -> list[int]:
    """The watched cards of this game that may be in its hand or deck."""
    return [card for card in in_this_game(s) if card not in s.lacks[seat] and not in_the_open(s, card)]


def in_this_game(s: Valley) -> list[int]:
    return [card for card in sorted(WATCHED) if GROUP[card] in s.pool]


def in_the_open(s: Valley, card: int) -> bool:
    """In the pyramid, in play, in a tomb, revealed, in the boneyard, or on top of a discard pile."""
    if card in s.boneyard or card in s.revealed or any(pile[-1:] == [card] for pile in s.discard):
        return True
    return any(card in pile for piles in (s.pyramid, s.played, s.tomb) for pile in piles)


def nobody_has_any(t: T) -> None:
    """At the beginning."""
    for seat in range(t.s.seats):
        t.set(at.lacks[seat], in_this_game(t.s))


def seen(t: T, card: int, on: int = NOBODY) -> None:
    """Everybody sees the card where no hand and no deck is; on: the seat on whose discard pile it comes to lie."""
    for seat in range(t.s.seats) if card in WATCHED else ():
        t.set(at.lacks[seat], with_or_without(t.s.lacks[seat], card, there=True))
        t.set(at.buried[seat], with_or_without(t.s.buried[seat], card, there=seat == on))


def with_or_without(cards: list[int], card: int, *, there: bool) -> list[int]:
    if there == (card in cards):
        return cards
    return [*cards, card] if there else [c for c in cards if c != card]


def seen_to_get(t: T, seat: int, card: int) -> None:
    """Everybody sees the card go into the seat's hand or deck."""
    if card in WATCHED:
        seen(t, card)
        may_have(t, seat, [card])


def pile_mixed(t: T, seat: int) -> None:
    """A card of its discard pile, or all of them, may now be in its hand or deck."""
    may_have(t, seat, t.s.buried[seat])
    t.set(at.buried[seat], [])


def any_given(t: T, seat: int) -> None:
    """A card that nobody has seen comes into its hand or deck out of the stock: no printed card does it."""
    may_have(t, seat, in_this_game(t.s))


def given_unseen(t: T, giver: int, receiver: int) -> None:
    """Whatever the giver may hold may be what the receiver gets."""
    may_have(t, receiver, possible(t.s, giver))


def may_have(t: T, seat: int, cards: Sequence[int]) -> None:
    t.set(at.lacks[seat], [card for card in t.s.lacks[seat] if card not in cards])
