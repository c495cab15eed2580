"""Answers to what one is asked."""

import random
from collections.abc import Callable, Iterable

from ludarium_client.bodies import ActionBody, Choice, OfferBody, Subset, TableView

GREED = 0.3
"""How likely a piece is taken that need not be."""


def answer(offer: OfferBody, pieces: Iterable[int] = ()) -> ActionBody:
    """`pieces`: of the offer's pool, if it has one."""
    return ActionBody(id=offer.id, subset=list(pieces))


def random_subset(subset: Subset, luck: random.Random) -> list[int]:
    """Distinct pieces of the pool whose worth adds up to least..most."""
    worth = dict(zip(subset.pool, subset.worth or [1] * len(subset.pool), strict=True))
    chosen: list[int] = []
    for piece in luck.sample(subset.pool, len(subset.pool)):
        total = sum(worth[p] for p in chosen)
        needed = total < subset.least
        if total + worth[piece] <= subset.most and (needed or luck.random() < GREED):
            chosen.append(piece)
    return chosen


def random_answer(choice: Choice, luck: random.Random) -> ActionBody:
    """Any action of those that are offered, whatever the game."""
    offer = luck.choice(choice.offers)
    return answer(offer, random_subset(offer.subset, luck) if offer.subset else ())


def at_random(luck: random.Random) -> Callable[[TableView], ActionBody]:
    """A player who knows no rules, for `play`."""

    def choose(view: TableView) -> ActionBody:
        assert view.choice is not None
        return random_answer(view.choice, luck)

    return choose
