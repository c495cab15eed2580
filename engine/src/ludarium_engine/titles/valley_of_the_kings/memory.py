"""Track which seats can hold cards that react in other seats' turns.

`lacks` lists, for each seat, the cards of this kind that it cannot have in hand or deck. It follows from public events alone:
all players see which card a seat buys, takes or is given, and a card in a discard pile gets into a hand only if the pile is
shuffled or searched. Seats are therefore not asked for cards that they never had, or that lie in a public place.
"""
from __future__ import annotations

from collections.abc import Sequence

from .cards import DECK, GROUP, REACTION
from .state import T, Valley, at

WINDOWS = ("boat", "cat", "physician", "headrest")
NOBODY = -1
WATCHED = frozenset(card for card in DECK if REACTION[card] in WINDOWS)


def may_hold(s: Valley, seat: int, name: str) -> bool:
    """Return whether a seat may hold a card with this reaction, by public knowledge."""
    return bool(s.hand[seat]) and any(REACTION[card] == name for card in possible(s, seat))


def possible(s: Valley, seat: int) -> list[int]:
    """Return the cards that react and may be in the seat's hand or deck."""
    return [card for card in in_this_game(s) if card not in s.lacks[seat] and not in_the_open(s, card)]


def in_this_game(s: Valley) -> list[int]:
    return [card for card in sorted(WATCHED) if GROUP[card] in s.pool]


def in_the_open(s: Valley, card: int) -> bool:
    """Return whether all players see where a card is.

    Such places are the pyramid, the boneyard, tombs, cards in play or revealed, and the tops of discard piles.
    """
    if card in s.boneyard or card in s.revealed or any(pile[-1:] == [card] for pile in s.discard):
        return True
    return any(card in pile for piles in (s.pyramid, s.played, s.tomb) for pile in piles)


def nobody_has_any(t: T) -> None:
    """Record at the start of a game that no seat has a card that reacts."""
    for seat in range(t.s.seats):
        t.set(at.lacks[seat], in_this_game(t.s))


def seen(t: T, card: int, on: int = NOBODY) -> None:
    """Record that all players see a card outside of hands and decks.

    Args:
        t: the table.
        card: the card.
        on: the seat on whose discard pile the card is, if it is on one.
    """
    for seat in range(t.s.seats) if card in WATCHED else ():
        t.set(at.lacks[seat], with_or_without(t.s.lacks[seat], card, there=True))
        t.set(at.buried[seat], with_or_without(t.s.buried[seat], card, there=seat == on))


def with_or_without(cards: list[int], card: int, *, there: bool) -> list[int]:
    if there == (card in cards):
        return cards
    return [*cards, card] if there else [c for c in cards if c != card]


def seen_to_get(t: T, seat: int, card: int) -> None:
    """Record that all players see a card go into the seat's hand or deck."""
    if card in WATCHED:
        seen(t, card)
        may_have(t, seat, [card])


def pile_mixed(t: T, seat: int) -> None:
    """Record that cards of the seat's discard pile may now be in its hand or deck."""
    may_have(t, seat, t.s.buried[seat])
    t.set(at.buried[seat], [])


def any_given(t: T, seat: int) -> None:
    """Record that the seat gets an unseen card from the stock into its hand or deck.

    No printed card does this, but cards of other data files may.
    """
    may_have(t, seat, in_this_game(t.s))


def given_unseen(t: T, giver: int, receiver: int) -> None:
    """Record that the receiver may have any card that the giver may hold."""
    may_have(t, receiver, possible(t.s, giver))


def may_have(t: T, seat: int, cards: Sequence[int]) -> None:
    t.set(at.lacks[seat], [card for card in t.s.lacks[seat] if card not in cards])
