"""Choose answers for absent players, who play cheap cards first so that the game ends."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import ChoiceBody, Reply, ViewBody, reluctant

from .cards import COLOUR

rest = reluctant("done", "take")


def default(view: ViewBody, choice: ChoiceBody) -> Reply:
    """Lead or beat with the cheapest possible card; if that is impossible, stop or take."""
    trump = view.zones["trump"]
    ways = [
        ((COLOUR[card] == trump, card), Reply(offer.id, (card,) if offer.verb == "lead" else ()))
        for offer in choice.offers
        for card in (offer.subset.pool if offer.verb == "lead" and offer.subset else offer.args[1:])
        if offer.verb in ("lead", "beat")
    ]
    return min(ways)[1] if ways else rest(view, choice)
