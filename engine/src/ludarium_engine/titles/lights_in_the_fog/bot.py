"""A bot that estimates from the answers which ship has which lamp.

The bot hails the ship whose answer is most useful, and names a lamp if the expected gain is positive.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from random import Random
from typing import Any, NamedTuple

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

PRICE = 3.5                                     # estimated cost of a wrong name, in points
TALK = 0.3                                      # estimated cost of an own answer that is new to the others, in points


class Lamp(NamedTuple):
    signs: Sequence[int]
    points: int

    def gain(self, chance: float) -> float:
        """Return the expected gain from naming the lamp, in points.

        Args:
            chance: the probability that the name is right, from 0 to 1.
        """
        return chance * self.points - (1 - chance) * PRICE


def bot(ruleset: Ruleset) -> Bot:
    lamps = {card.id: Lamp(card.facts["signs"], card.facts["points"]) for card in ruleset.cards}

    def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
        knows = Knows(lamps, view.zones, seat)
        worth = {"prompt.signal": knows.signal, "prompt.name": knows.name, "prompt.pay": knows.pay}[choice.prompt.id]
        return Answer(max(choice.offers, key=lambda offer: (worth(offer), rng.random())).id)

    return play


class Knows:
    """A seat's knowledge, from which the value of offers is estimated in points."""

    def __init__(self, lamps: Mapping[int, Lamp], zones: dict[str, Any], seat: int) -> None:
        seen = {*zones["hand"][seat], *(lamp for log in zones["log"] for lamp in log)}
        self.lamps, self.zones, self.seat = lamps, zones, seat
        self.unseen = [lamp for lamp in lamps if lamp not in seen]

    # --- offers -------------------------------------------------------------------------------------------------------
    def signal(self, offer: OfferBody) -> float:
        """Return the estimated value of a hail; a bearing has value 0.

        The value is the probability of a yes multiplied by the gain from the best name afterwards. The cost of the seat's own
        answer is subtracted.
        """
        if offer.verb == "bearing":
            return 0
        ship, sign = offer.args
        if self.heard(ship, sign):
            return -1
        aboard = 1 - prod(1 - chance for lamp, chance in self.chances(ship).items() if sign in self.lamps[lamp].signs)
        best = max((self.lamps[lamp].gain(chance) for lamp, chance in self.chances(ship, sign).items()), default=-PRICE)
        return aboard * (best + PRICE) - TALK * (not self.heard(self.seat, sign))

    def name(self, offer: OfferBody) -> float:
        if offer.verb == "silence":
            return 0
        ship, *signs = offer.args
        return max((self.lamps[lamp].gain(chance) for lamp, chance in self.chances(ship).items()
                    if [*self.lamps[lamp].signs] == signs), default=-PRICE)

    def pay(self, offer: OfferBody) -> float:
        return -self.lamps[offer.args[0]].points

    # --- answers ------------------------------------------------------------------------------------------------------
    def heard(self, ship: int, sign: int) -> bool:
        return sign in self.zones["yes"][ship] or sign in self.zones["no"][ship]

    def chances(self, ship: int, *more: int) -> dict[int, float]:
        """Return the probability that each possible lamp is aboard.

        Args:
            ship: the ship that was asked.
            more: signs that the ship is assumed to have, in addition to the signs it has admitted.
        """
        lamps = self.possible(ship)
        even = min(1.0, len(self.zones["hand"][ship]) / max(1, len(lamps)))
        bearing = {sign: sum(sign in self.lamps[lamp].signs for lamp in lamps) for sign in (*self.zones["yes"][ship], *more)}
        return {lamp: 1 - (1 - even) * self.spared(lamp, bearing) for lamp in lamps}

    def spared(self, lamp: int, bearing: Mapping[int, int]) -> float:
        """Return the probability that other lamps explain every yes about a lamp's signs."""
        return prod(1 - 1 / bearing[sign] for sign in self.lamps[lamp].signs if sign in bearing)

    def possible(self, ship: int) -> list[int]:
        no, missed = {*self.zones["no"][ship]}, self.zones["missed"][ship]
        return [lamp for lamp in self.unseen if lamp not in missed and not no & {*self.lamps[lamp].signs}]
