"""How a client may show many offers: by step and by piece, and equal cards as one offer with a number.

Nothing here says what is offered: each offer stays, and is sent by its own id.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

import msgspec

from ludarium_engine.kernel.bodies import OfferBody, Piece
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.slots import State
from ludarium_engine.kernel.title import Title

AnyTitle = Title[Any, Any]


class OfferGroup(msgspec.Struct, frozen=True):
    """The offers of one step (their verb) with one piece, the first that they touch; null where they touch none.

    offers: their ids. Those in one list do the same with cards that are equal and lie in the same pile: one of them stands
    for all, and how many there are is the number to show.
    """

    verb: str
    piece: Piece | None
    offers: list[list[str]]


def grouped(title: AnyTitle, s: State, offers: Sequence[OfferBody]) -> list[OfferGroup]:
    """In the order of the offers."""
    equal = equals(title, s, {card for offer in offers for card in cards_of(title, offer)})
    groups: dict[object, dict[object, list[OfferBody]]] = {}
    for offer in offers:
        first = [equal.get(p.value, p.value) if p.kind == CARD else p for p in offer.touches[:1]]
        alike = groups.setdefault((offer.verb, *first), {})
        alike.setdefault(likeness(title, equal, offer), []).append(offer)
    return [group_of([*alike.values()]) for alike in groups.values()]


def group_of(alike: list[list[OfferBody]]) -> OfferGroup:
    first = alike[0][0]
    piece = first.touches[0] if first.touches else None
    return OfferGroup(first.verb, piece, [[offer.id for offer in offers] for offers in alike])


def likeness(title: AnyTitle, equal: Mapping[object, object], offer: OfferBody) -> object:
    if not equal:
        return tuple(offer.args)
    kinds = title.verbs[offer.verb].args
    return tuple([equal.get(n, n) if kind == CARD else n for kind, n in zip(kinds, offer.args, strict=True)])


def cards_of(title: AnyTitle, offer: OfferBody) -> list[int]:
    kinds = title.verbs[offer.verb].args
    return [n for kind, n in zip(kinds, offer.args, strict=True) if kind == CARD] if CARD in kinds else []


def equals(title: AnyTitle, s: State, cards: Set[int]) -> dict[object, object]:
    """What stands for each card that has equals among these: its kind, and the pile in which it lies."""
    kind_of = kinds(title)
    if len({kind_of[card] for card in cards}) == len(cards):
        return {}                               # as most often
    often = Counter([kind_of[card] for card in cards])
    several = {card: kind for card in cards for kind in [kind_of[card]] if often[kind] > 1}
    return {card: (several[card], where) for where, pile in piles(title, s) for card in pile if card in several}


def piles(title: AnyTitle, s: State) -> Iterator[tuple[object, list[int]]]:
    for field in title.layout.fields:
        if field.holds_cards:
            there = getattr(s, field.name)
            for i, pile in enumerate([there] if field.kind == "pile" else there):
                yield (field.name, i), pile


@lru_cache
def kinds(title: AnyTitle) -> dict[int, str]:
    return {card.id: card.kind for card in title.cards}
