"""A bot that first draws, then buries cards with many points, then buys.

It buys what its tomb lacks, and gives up the cards that are worth least to it.
"""
from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

LATE = 6                                       # with fewer cards in the stock, bury instead of buying
ENOUGH = 10                                      # with more cards outside the tomb, some can be spared
MOST_PAID = 6                                   # the most cards that are considered for one payment
# Actions that are worth more than the card's gold: first those that draw cards, then those that bury, then those that take.
DRAWING = {
    "statue_osiris", "wall_painting", "priest_thoth", "calcite_cup", "earrings", "priestess_hathor", "painted_relief",
    "sun_barque", "sistrum", "scribe", "priest_amun", "resin", "priestess_isis", "broad_collar",
}  # fmt: skip
BURYING = {
    "statue_horus", "imsety_jar", "middle_sarcophagus", "heart_scarab_amulet", "book_heavens", "book_dead", "burial_mask",
    "burial_chamber", "pectoral", "linen_wrappings", "embalming_oil", "canopic_chest", "golden_shrine", "box_of_food",
    "priestess_neith", "weaver", "sculptor", "priest_osiris", "royal_widow", "double_crown", "statue_sobek", "embalmer",
}  # fmt: skip
TAKING = {
    "statue_isis", "djed_amulet", "book_netherworld", "book_earth", "book_eternity", "hapi_jar", "ka_figure", "censer",
    "chariot", "architect", "priest_re", "priest_ptah", "throne", "bow", "tomb_model", "stela", "false_door", "engineer",
    "star_ceiling", "oil_lamp", "obelisk", "painter", "treasury", "vizier", "tyet_amulet", "lector", "book_gates",
}  # fmt: skip
REACTIONS = ("boat", "cat", "physician", "headrest", "show")


class Mind(NamedTuple):
    """What the bot bases its decisions on.

    Attributes:
        seat: its seat.
        zones: the zones of its view, by name.
        cards: the printed facts of each card, by card id.
    """

    seat: int
    zones: dict[str, Any]
    cards: dict[int, dict[str, Any]]

    @property
    def late(self) -> bool:
        return len(self.zones["stock"]) + len(self.zones["under"]) < LATE

    @property
    def rich(self) -> bool:
        """Whether the seat can spare cards for the tomb."""
        return self.late or sum(len(self.zones[zone][self.seat]) for zone in ("hand", "deck", "discard", "played")) > ENOUGH

    def gain(self, card: int) -> int:
        """Return the points that a card would add to the seat's tomb."""
        facts, tomb = self.cards[card], self.zones["tomb"][self.seat]
        if "set" not in facts:
            return self.number(card, "points")
        different = {self.kind(c) for c in tomb if self.cards[c].get("set") == facts["set"]}
        return 0 if facts["kind"] in different else 2 * len(different) + 1

    def promise(self, card: int) -> int:
        """Estimate the points that a card brings by the end of the game.

        All cards of its set that the seat owns count, whether they are buried or not.
        """
        facts = self.cards[card]
        if "set" not in facts:
            return self.gain(card)
        own = [c for zone in ("tomb", "hand", "discard", "played") for c in self.zones[zone][self.seat] if c != card]
        different = {self.kind(c) for c in own if c >= 0 and self.cards[c].get("set") == facts["set"]}
        return 1 if facts["kind"] in different else 2 * len(different) + 3

    def worth(self, card: int) -> float:
        """Estimate the value of owning a card.

        It consists of the card's promise and, as long as there is something to buy, its gold.
        """
        return 2 * self.promise(card) + (0 if self.late else self.number(card, "gold"))

    def kind(self, card: int) -> str:
        return str(self.cards[card]["kind"])

    def number(self, card: int, fact: str) -> int:
        return int(self.cards[card][fact])


def bot(ruleset: Ruleset) -> Bot:
    cards = {card.id: card.facts for card in ruleset.cards}

    def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
        mind = Mind(seat, view.zones, cards)
        return turn(mind, choice.offers) if choice.prompt.id == "prompt.play" else respond(mind, choice.offers)

    return play


# --- the own turn -----------------------------------------------------------------------------------------------------
def turn(mind: Mind, offers: list[OfferBody]) -> Answer:
    found = (step(mind, offers) for step in (act, bury_well, buy, bury))
    return next((answer for answer in found if answer), Answer("end"))


def act(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """Choose a useful action in the order of the lists above, or a pharaoh's ability.

    A pharaoh's ability costs nothing.
    """
    for useful in (DRAWING, BURYING, TAKING) if mind.rich else (DRAWING, TAKING):
        for offer in offers:
            if offer.verb == "act" and mind.kind(offer.args[0]) in useful:
                return Answer(offer.id)
    return next((Answer(offer.id) for offer in offers if offer.verb == "rule"), None)


def bury(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """Bury the card with the most points; among equals, one with little gold."""
    entombs = [offer for offer in offers if offer.verb == "entomb" and mind.rich]
    best = max(entombs, key=lambda o: (mind.gain(o.args[0]), -mind.number(o.args[0], "gold")), default=None)
    return Answer(best.id) if best and mind.gain(best.args[0]) else None


def bury_well(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """Bury a card before buying, if it scores more than a starter would.

    Late in the game, any card with points is buried.
    """
    good = [offer for offer in offers if offer.verb == "entomb" and (mind.late or mind.gain(offer.args[0]) > 1)]
    return bury(mind, good)


def buy(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """Buy the card with the highest value; among equals, the most expensive one."""
    wanted = [offer for offer in offers if offer.verb == "buy"]
    if not wanted:
        return None
    best = max(wanted, key=lambda o: (mind.worth(bought(mind, o)), mind.number(bought(mind, o), "cost")))
    return Answer(best.id, payment(mind, best))


def bought(mind: Mind, offer: OfferBody) -> int:
    card: int = mind.zones["pyramid"][offer.args[0]][0]
    return card


def payment(mind: Mind, offer: OfferBody) -> tuple[int, ...]:
    """Return the cards that pay for a purchase with as little gold as possible.

    Among equal payments, the cards that would score least are paid.
    """
    subset = offer.subset
    if subset is None or subset.least == 0:
        return ()
    gold = dict(zip(subset.pool, subset.worth, strict=True))
    ways = (way for n in range(1, MOST_PAID + 1) for way in combinations(subset.pool, n))
    enough = [way for way in ways if sum(gold[c] for c in way) >= subset.least] or [tuple(subset.pool)]
    return min(enough, key=lambda way: (sum(gold[c] for c in way), sum(map(mind.gain, way))))


# --- everything else that a seat is asked ---------------------------------------------------------------------------
def respond(mind: Mind, offers: list[OfferBody]) -> Answer:
    """Choose a reaction if there is one, otherwise the offer with the best rating.

    The bot skips only if there is no other offer.
    """
    willing = [offer for offer in offers if offer.verb in REACTIONS] or [o for o in offers if o.verb != "skip"] or offers
    best = max(willing, key=lambda offer: RATING.get(offer.verb, indifferent)(mind, offer))
    if best.subset is None:
        return Answer(best.id)
    given = sorted(best.subset.pool, key=mind.worth)
    return Answer(best.id, tuple(given[: max(best.subset.least, 0)]))


def indifferent(mind: Mind, offer: OfferBody) -> float:
    return 0


def gained(mind: Mind, offer: OfferBody) -> float:
    return mind.worth(offer.args[0])


def lost(mind: Mind, offer: OfferBody) -> float:
    """Rate an offer to give up a card: the less the card is worth, the better."""
    return -mind.worth(offer.args[0])


def scored(mind: Mind, offer: OfferBody) -> float:
    return mind.gain(offer.args[0])


def exchanged(mind: Mind, offer: OfferBody) -> float:
    return mind.worth(offer.args[1]) - mind.worth(offer.args[0])


RATING: dict[str, Callable[[Mind, OfferBody], float]] = {
    "entomb": scored, "take": gained, "boat": gained, "to_hand": gained, "to_deck": gained, "fall": gained,
    "keep": indifferent, "sacrifice": lost, "discard_one": lost, "put": lost, "give": lost, "give_to_deck": lost,
    "give_to_tomb": lost, "exchange": exchanged,
}  # fmt: skip
