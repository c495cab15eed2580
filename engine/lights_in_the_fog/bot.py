"""Reckons from the slate how likely each lamp is where, hails to learn most, and names what is worth the risk."""
from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random
from typing import Any

from engine.bots.seat import Answer, Bot, Ruleset
from engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

PRICE = 3.5                                     # of a wrong name: points for the other, a masked lamp less
TALK = 0.3                                      # of an own answer that is new to the others

Slate = dict[str, Any]                          # the zones, as the seat sees them


def bot(ruleset: Ruleset) -> Bot:
    signs: dict[int, Sequence[int]] = {card.id: card.facts["signs"] for card in ruleset.cards}
    points: dict[int, int] = {card.id: card.facts["points"] for card in ruleset.cards}

    def unseen(slate: Slate, seat: int) -> list[int]:
        seen = {*slate["hand"][seat], *(lamp for log in slate["log"] for lamp in log)}
        return [lamp for lamp in signs if lamp not in seen]

    def possible(slate: Slate, seat: int, ship: int) -> list[int]:
        """Lamps that may be aboard the ship, for all that it said."""
        no, missed = {*slate["no"][ship]}, slate["missed"][ship]
        return [lamp for lamp in unseen(slate, seat) if not no & {*signs[lamp]} and lamp not in missed]

    def chances(slate: Slate, seat: int, ship: int, yes: Sequence[int]) -> dict[int, float]:
        """Of each lamp that may be there, if the ship carries these signs."""
        lamps = possible(slate, seat, ship)
        spread = len(slate["hand"][ship]) / max(1, len(lamps))
        bearing = {sign: sum(sign in signs[lamp] for lamp in lamps) for sign in yes}
        missing = {lamp: prod(1 - 1 / bearing[sign] for sign in yes if sign in signs[lamp]) for lamp in lamps}
        return {lamp: 1 - (1 - min(1.0, spread)) * missing[lamp] for lamp in lamps}

    def gain(chance: float, lamp: int) -> float:
        return chance * points[lamp] - (1 - chance) * PRICE

    def worth_of_hail(slate: Slate, seat: int, ship: int, sign: int) -> float:
        """What the best name behind a yes would gain, as often as that is the answer."""
        if sign in slate["yes"][ship] or sign in slate["no"][ship]:
            return -1.0
        now, then = chances(slate, seat, ship, slate["yes"][ship]), chances(slate, seat, ship, [*slate["yes"][ship], sign])
        aboard = 1 - prod(1 - chance for lamp, chance in now.items() if sign in signs[lamp])
        best = max((gain(chance, lamp) for lamp, chance in then.items() if sign in signs[lamp]), default=-PRICE)
        told = sign in slate["yes"][seat] or sign in slate["no"][seat]
        return aboard * (best + PRICE) - TALK * (not told)

    def signal(slate: Slate, seat: int, offers: list[OfferBody], luck: Random) -> OfferBody:
        def worth(offer: OfferBody) -> tuple[float, float]:
            bearing = offer.verb == "bearing"
            return 0.0 if bearing else worth_of_hail(slate, seat, offer.args[0], offer.args[1]), luck.random()

        return max(offers, key=worth)

    def name(slate: Slate, seat: int, offers: list[OfferBody]) -> OfferBody:
        by_ship = {o.args[0]: chances(slate, seat, o.args[0], slate["yes"][o.args[0]]) for o in offers if o.args}
        lamp_of = {tuple(pair): lamp for lamp, pair in signs.items()}

        def worth(offer: OfferBody) -> float:
            if not offer.args:
                return 0.0
            ship, lamp = offer.args[0], lamp_of[tuple(offer.args[1:])]
            return gain(by_ship[ship].get(lamp, 0.0), lamp)

        return max(offers, key=worth)

    def play(seat: int, view: ViewBody, choice: ChoiceBody, luck: Random) -> Answer:
        match choice.prompt.id:
            case "prompt.signal":
                return Answer(signal(view.zones, seat, choice.offers, luck).id)
            case "prompt.name":
                return Answer(name(view.zones, seat, choice.offers).id)
            case _:
                return Answer(min(choice.offers, key=lambda offer: points[offer.args[0]]).id)

    return play
