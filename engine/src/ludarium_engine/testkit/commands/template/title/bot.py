"""A bot that plays its highest card."""
from __future__ import annotations

from random import Random

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody


def bot(ruleset: Ruleset) -> Bot:
    points = {card.id: card.facts["points"] for card in ruleset.cards}

    def worth(offer: OfferBody) -> int:
        return int(points[offer.args[0]])

    def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
        return Answer(max(choice.offers, key=worth).id)

    return play
