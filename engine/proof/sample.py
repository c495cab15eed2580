"""Play by somebody who knows no rule."""
from __future__ import annotations

from random import Random
from typing import Any

from engine.kernel import Action, Offer, State, Title, legal, seats_to_act

GREED = 0.4                                     # how likely a piece is taken that need not be


def sample(offer: Offer, luck: Random) -> Action:
    """Any action that the offer allows."""
    subset: list[int] = []
    total = 0
    for piece in luck.sample(offer.pool, len(offer.pool)):
        after = total + offer.value(piece)
        if after <= offer.most and (total < offer.least or luck.random() < GREED):
            subset.append(piece)
            total = after
    return Action(offer.verb, offer.args + tuple(subset))


def choose(title: Title[Any, Any], s: State, luck: Random) -> tuple[int, Action]:
    """Any seat that is asked, and any answer."""
    seat = luck.choice(seats_to_act(s))
    return seat, sample(luck.choice(legal(title, s, seat)), luck)
