"""What the acting seat knows of the table, for its offers and for looking ahead.

An outlook has no other hand, no order of a deck, and no hidden card. It is never changed; a choice leads to a new one. Cards
that would come from a hidden place are HIDDEN, so steps that depend on them are judged by the number of cards only. Looking
ahead assumes that no seat reacts.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from .cards import HIDDEN
from .pyramid import APEX, BASE, FEEDERS, MIDDLE, SPACES
from .state import Valley

EMPTY = -2                                      # the value of an empty pyramid space
ROWS = {"pyramid": SPACES, "base": BASE, "middle": MIDDLE, "apex": (APEX,)}


class Outlook(msgspec.Struct):
    """The knowledge of the acting seat; the last card of a list is the top one.

    Attributes:
        s: the state, of which only public parts are read.
        pyramid: by space, its card or EMPTY.
        seen: the cards that are revealed, or that the seat is looking at.
        deck: the number of cards in the seat's deck.
        stock: the number of cards in the stock.
    """

    s: Valley                                   # only its public parts are read
    seat: int
    hand: list[int]
    discard: list[int]
    tomb: list[int]
    pyramid: list[int]
    boneyard: list[int]
    seen: list[int]
    deck: int
    stock: int

    @property
    def bought(self) -> int:
        return self.s.bought

    @property
    def covered(self) -> list[int]:
        return [card for cards in self.s.covered for card in cards]

    @property
    def opponents(self) -> list[int]:
        return [(self.seat + i) % self.s.seats for i in range(1, self.s.seats)]

    @property
    def holding(self) -> list[int]:
        return [p for p in self.opponents if self.s.hand[p]]

    @property
    def with_discard(self) -> list[int]:
        return [p for p in self.opponents if self.s.discard[p]]

    def top_of(self, seat: int) -> int:
        """Return the top card of a seat's discard pile, which is public."""
        return self.s.discard[seat][-1]

    def pool(self, zones: Sequence[str]) -> list[int]:
        return self.zone(zones[0]) if len(zones) == 1 else [card for zone in zones for card in self.zone(zone)]

    def zone(self, name: str) -> list[int]:
        if name == "hand":
            return self.hand
        if name in ROWS:
            pyramid = self.pyramid
            return [pyramid[i] for i in ROWS[name] if pyramid[i] != EMPTY]
        match name:
            case "discard_top":
                return self.discard[-1:]
            case "discard_top_two":
                return self.discard[-2:]
            case "boneyard_top":
                return self.boneyard[-1:]
            case "stock_top":
                return [HIDDEN] if self.stock else []
        cards: list[int] = getattr(self, name)
        return cards

    def playing(self, card: int) -> Outlook:
        """Return the outlook after a card of the hand is played."""
        return replace(self, hand=[c for c in self.hand if c != card])

    # --- outlooks after a choice ------------------------------------------------------------------------------------
    def moved(self, card: int, zones: Sequence[str], to: str) -> Iterator[Outlook]:
        """Yield the outlooks after a card is moved.

        There are two if the pyramid can crumble in two ways.
        """
        source = next(zone for zone in zones if card in self.zone(zone))
        for w in self.without(card, source):
            w.receive(card, to)
            yield w

    def without(self, card: int, source: str) -> Iterator[Outlook]:
        if source in ROWS:
            for pyramid in crumbled(self.pyramid, self.pyramid.index(card)):
                yield replace(self, pyramid=pyramid)
            return
        w = replace(self)
        if source == "stock_top":
            w.stock -= 1
        else:
            pile = source.removesuffix("_two").removesuffix("_top")
            setattr(w, pile, less(getattr(w, pile), card))
        yield w

    def receive(self, card: int, to: str) -> None:
        if to == "deck":
            self.deck += 1
        elif not to.startswith("their_"):
            setattr(self, to, [*getattr(self, to), card])

    def exchanged(self, one: int, other: int, a: str, b: str) -> Outlook:
        if a == b:
            return replace(self, pyramid=[{one: other, other: one}.get(card, card) for card in self.pyramid])
        w = replace(self)
        for name, gone, come in ((a, one, other), (b.removesuffix("_top"), other, one)):
            setattr(w, name, [*less(getattr(w, name), gone), come])
        return w

    def drawing(self, n: int, to: str) -> Outlook:
        w = self.reshuffled() if n > self.deck else replace(self)
        n = min(n, w.deck)
        w.deck -= n
        w.receive_hidden(n, to)
        return w

    def looking(self, n: int) -> Outlook:
        n = min(n, self.stock)
        w = replace(self, stock=self.stock - n)
        w.receive_hidden(n, "seen")
        return w

    def receive_hidden(self, n: int, to: str) -> None:
        setattr(self, to, getattr(self, to) + [HIDDEN] * n)

    def reshuffled(self) -> Outlook:
        return replace(self, deck=self.deck + len(self.discard), discard=[])

    def gaining(self, card: int) -> Outlook:
        return replace(self, hand=[*self.hand, card])


def less(cards: list[int], card: int) -> list[int]:
    i = len(cards) - 1 - cards[::-1].index(card)
    return cards[:i] + cards[i + 1 :]


def crumbled(pyramid: list[int], space: int) -> Iterator[list[int]]:
    """Yield each pyramid that can result when the card of a space is removed."""
    above = [i for i in FEEDERS[space] if pyramid[i] != EMPTY]
    if not above:
        yield [EMPTY if i == space else card for i, card in enumerate(pyramid)]
    for i in above:
        fallen = pyramid[:]
        fallen[space] = fallen[i]
        yield from crumbled(fallen, i)


def outlook(s: Valley, seat: int) -> Outlook:
    """Return what a seat knows of the current position."""
    return Outlook(
        s,
        seat,
        s.hand[seat],
        s.discard[seat],
        s.tomb[seat],
        [pile[0] if pile else EMPTY for pile in s.pyramid],
        [HIDDEN] * (len(s.boneyard) - 1) + s.boneyard[-1:],
        s.revealed + s.looked[seat],
        len(s.deck[seat]),
        len(s.stock) + len(s.under),
    )
