"""Answers to the questions that a seat is asked."""

import random
from collections.abc import Callable, Iterable

from ludarium_client.bodies import ActionBody, Choice, OfferBody, Subset, TableView

GREED = 0.3
"""The probability with which a random answer takes an optional piece."""


def answer(offer: OfferBody, pieces: Iterable[int] = ()) -> ActionBody:
    """Return the action that takes an offer.

    Args:
        offer: one of the choice's offers.
        pieces: pieces of the offer's pool, if it has a subset.
    """
    return ActionBody(id=offer.id, subset=list(pieces))


def random_subset(subset: Subset, luck: random.Random) -> list[int]:
    """Return distinct pieces of the pool whose worth is between `least` and `most`."""
    worth = dict(zip(subset.pool, subset.worth or [1] * len(subset.pool), strict=True))
    chosen: list[int] = []
    for piece in luck.sample(subset.pool, len(subset.pool)):
        total = sum(worth[p] for p in chosen)
        needed = total < subset.least
        if total + worth[piece] <= subset.most and (needed or luck.random() < GREED):
            chosen.append(piece)
    return chosen


def random_answer(choice: Choice, luck: random.Random) -> ActionBody:
    """Return a random action among those offered, in any game."""
    offer = luck.choice(choice.offers)
    return answer(offer, random_subset(offer.subset, luck) if offer.subset else ())


def at_random(luck: random.Random) -> Callable[[TableView], ActionBody]:
    """Return a `choose` for `play` that takes random offers."""

    def choose(view: TableView) -> ActionBody:
        assert view.choice is not None
        return random_answer(view.choice, luck)

    return choose
