"""The random bot. It knows no rules, so it can play every title."""
from __future__ import annotations

from random import Random

from ludarium_engine.bots.seat import Answer
from ludarium_engine.kernel.bodies import ChoiceBody, Subset, ViewBody

GREED = 0.4                                     # the probability of taking a piece that is not required


def random_bot(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
    """Choose a random offer, each equally likely, and a random subset if it has one."""
    offer = rng.choice(choice.offers)
    return Answer(offer.id, subset_of(offer.subset, rng) if offer.subset else ())


def subset_of(subset: Subset, rng: Random) -> tuple[int, ...]:
    """Choose a random subset that the offer allows.

    Pieces are taken in random order until the least worth is reached, then each further one with probability GREED. The worth
    never exceeds the most.
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
