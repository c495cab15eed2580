"""A bot that plays low cards first and keeps trumps for the end."""
from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

COLOURS = 4                                     # a card is rank * 4 + colour
TRUMP_WORTH = 10                                # a trump is worth more than any other card
LATE = 6                                        # with fewer cards in the deck, the bot plays trumps as well


def bot(ruleset: Ruleset) -> Bot:
    return play


def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
    match choice.prompt.id:
        case "prompt.lead":
            return lead(view.zones, choice.offers)
        case "prompt.defend":
            return defend(view.zones, choice.offers)
        case _:
            return add(view.zones, choice.offers)


def worth(zones: dict[str, Any], card: int) -> int:
    trump: int = zones["trump"]
    return card // COLOURS + TRUMP_WORTH * (card % COLOURS == trump)


def cheap(zones: dict[str, Any], cards: Iterable[int]) -> tuple[int, ...]:
    """Return the cards that may be played now, without trumps until late in the game."""
    late = len(zones["deck"]) < LATE
    return tuple(card for card in cards if late or worth(zones, card) < TRUMP_WORTH)


def lead(zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Lead all cards of the lowest rank, without trumps early in the game."""

    def cost(offer: OfferBody) -> int:
        return min(worth(zones, card) for card in pool(offer))

    best = min(offers, key=cost)
    cards = cheap(zones, pool(best)) or (min(pool(best), key=lambda card: worth(zones, card)),)
    return Answer(best.id, cards[: best.subset.most if best.subset else 0])


def defend(zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Pass the attack on with a cheap card, beat an attacking card cheaply, or take.

    The attacking card that the fewest cards can beat is beaten first. If an attacking card cannot be beaten, the bot takes.
    """
    passing = [offer for offer in offers if offer.verb == "pass_on" and cheap(zones, offer.args)]
    if passing:
        return Answer(passing[0].id)
    beating = [offer for offer in offers if offer.verb == "beat"]
    ways = [sum(offer.args[0] == i for offer in beating) for i in unbeaten(zones)]
    if not beating or min(ways) == 0:
        return Answer("take")
    return Answer(min(beating, key=lambda o: (ways[unbeaten(zones).index(o.args[0])], worth(zones, o.args[1]))).id)


def unbeaten(zones: dict[str, Any]) -> list[int]:
    return [i for i in range(len(zones["attack"])) if not zones["defence"][i]]


def add(zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Add or throw in cheap cards up to the limit, or no cards if none is cheap."""
    best = max(offers, key=lambda offer: len(pool(offer)))
    cards = sorted(cheap(zones, pool(best)), key=lambda card: worth(zones, card))
    nothing = next((offer.id for offer in offers if not offer.subset or offer.subset.least == 0), best.id)
    return Answer(best.id, tuple(cards[: best.subset.most])) if cards and best.subset else Answer(nothing)


def pool(offer: OfferBody) -> list[int]:
    return offer.subset.pool if offer.subset else []
