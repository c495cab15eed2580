"""Picks any of the offers. Knows no rule, so it can play every title."""
from __future__ import annotations

from random import Random

from ludarium_engine.bots.seat import Answer
from ludarium_engine.kernel.bodies import ChoiceBody, Subset, ViewBody

GREED = 0.4                                     # how likely it takes a piece that it need not take


def random_bot(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
    offer = rng.choice(choice.offers)
    return Answer(offer.id, subset_of(offer.subset, rng) if offer.subset else ())


def subset_of(subset: Subset, rng: Random) -> tuple[int, ...]:
    """Pieces in random order until their worth reaches the least, now and then one more, never beyond the most."""
    worth = dict(zip(subset.pool, subset.worth, strict=True)) if subset.worth else {}
    chosen: list[int] = []
    total = 0
    for piece in rng.sample(subset.pool, len(subset.pool)):
        after = total + worth.get(piece, 1)
        if after <= subset.most and (total < subset.least or rng.random() < GREED):
            chosen.append(piece)
            total = after
    return tuple(chosen)
