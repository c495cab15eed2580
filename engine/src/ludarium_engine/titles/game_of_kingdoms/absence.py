"""What is played for a seat whose player is away: cheap cards first, so that each bout takes some out of the game."""
from __future__ import annotations

from ludarium_engine.kernel.bodies import ChoiceBody, Reply, ViewBody, reluctant

from .cards import COLOUR

rest = reluctant("done", "take")


def default(view: ViewBody, choice: ChoiceBody) -> Reply:
    """Lead or beat with the cheapest card that does; else nothing more, or take."""
    trump = view.zones["trump"]
    ways = [
        ((COLOUR[card] == trump, card), Reply(offer.id, (card,) if offer.verb == "lead" else ()))
        for offer in choice.offers
        for card in (offer.subset.pool if offer.verb == "lead" and offer.subset else offer.args[1:])
        if offer.verb in ("lead", "beat")
    ]
    return min(ways)[1] if ways else rest(view, choice)
