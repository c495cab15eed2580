"""The random bot, which can play every title since it does not need to know the rules."""
from __future__ import annotations

from random import Random

from ludarium_engine.bots.seat import Answer
from ludarium_engine.kernel.bodies import ChoiceBody, Subset, ViewBody

GREED = 0.4                                     # the probability of taking a piece that is not required


def random_bot(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
    """Choose an offer uniformly at random, with a random subset if one is required."""
    offer = rng.choice(choice.offers)
    return Answer(offer.id, subset_of(offer.subset, rng) if offer.subset else ())


def subset_of(subset: Subset, rng: Random) -> tuple[int, ...]:
    """Choose a random subset that the offer allows.

    Pieces are taken in random order until the subset reaches the minimum worth. Each further piece is taken with probability
    GREED, as long as the subset does not exceed the maximum worth.
    """
    worth = dict(zip(subset.pool, subset.worth, strict=True)) if subset.worth else {}
    chosen: list[int] = []
    total = 0
    for piece in rng.sample(subset.pool, len(subset.pool)):
        after = total + worth.get(piece, 1)
        if after <= subset.most and (total < subset.least or rng.random() < GREED):
            chosen.append(piece)
            total = after
    return tuple(chosen)
