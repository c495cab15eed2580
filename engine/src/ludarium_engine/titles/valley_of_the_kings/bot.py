"""Draws, buries what scores most, buys what its tomb lacks, and gives up what it can best do without."""
from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

LATE = 6                                       # so few cards left in the stock: bury instead of buying
ENOUGH = 10                                      # cards in hand, deck and discard pile, without which one buys nothing
MOST_PAID = 6                                   # cards for one purchase that are thought through
# Actions worth a card's gold: those that bring cards first, then those that bury, then those that take.
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
    """What the bot goes by: its seat, what it sees, and the printed facts of each card."""

    seat: int
    zones: dict[str, Any]
    cards: dict[int, dict[str, Any]]

    @property
    def late(self) -> bool:
        return len(self.zones["stock"]) + len(self.zones["under"]) < LATE

    @property
    def rich(self) -> bool:
        """Has cards to spare for the tomb."""
        return self.late or sum(len(self.zones[zone][self.seat]) for zone in ("hand", "deck", "discard", "played")) > ENOUGH

    def gain(self, card: int) -> int:
        """Points that the card would add to one's tomb."""
        facts, tomb = self.cards[card], self.zones["tomb"][self.seat]
        if "set" not in facts:
            return self.number(card, "points")
        different = {self.kind(c) for c in tomb if self.cards[c].get("set") == facts["set"]}
        return 0 if facts["kind"] in different else 2 * len(different) + 1

    def promise(self, card: int) -> int:
        """Points that the card may bring in the end, with what one has of its set, buried or not."""
        facts = self.cards[card]
        if "set" not in facts:
            return self.gain(card)
        own = [c for zone in ("tomb", "hand", "discard", "played") for c in self.zones[zone][self.seat] if c != card]
        different = {self.kind(c) for c in own if c >= 0 and self.cards[c].get("set") == facts["set"]}
        return 1 if facts["kind"] in different else 2 * len(different) + 3

    def worth(self, card: int) -> float:
        """To have the card: what it promises, and its gold as long as there is something to buy."""
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
    """In the order of the lists; a pharaoh's ability costs nothing."""
    for useful in (DRAWING, BURYING, TAKING) if mind.rich else (DRAWING, TAKING):
        for offer in offers:
            if offer.verb == "act" and mind.kind(offer.args[0]) in useful:
                return Answer(offer.id)
    return next((Answer(offer.id) for offer in offers if offer.verb == "rule"), None)


def bury(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """What scores most; of equal cards the one with less gold."""
    entombs = [offer for offer in offers if offer.verb == "entomb" and mind.rich]
    best = max(entombs, key=lambda o: (mind.gain(o.args[0]), -mind.number(o.args[0], "gold")), default=None)
    return Answer(best.id) if best and mind.gain(best.args[0]) else None


def bury_well(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """Before buying: only what scores more than a starter."""
    good = [offer for offer in offers if offer.verb == "entomb" and (mind.late or mind.gain(offer.args[0]) > 1)]
    return bury(mind, good)


def buy(mind: Mind, offers: list[OfferBody]) -> Answer | None:
    """The card that is worth most; by its cost where that is alike."""
    wanted = [offer for offer in offers if offer.verb == "buy"]
    if not wanted:
        return None
    best = max(wanted, key=lambda o: (mind.worth(bought(mind, o)), mind.number(bought(mind, o), "cost")))
    return Answer(best.id, payment(mind, best))


def bought(mind: Mind, offer: OfferBody) -> int:
    card: int = mind.zones["pyramid"][offer.args[0]][0]
    return card


def payment(mind: Mind, offer: OfferBody) -> tuple[int, ...]:
    """The least gold that is enough; of equal payments the one whose cards would score least."""
    subset = offer.subset
    if subset is None or subset.least == 0:
        return ()
    gold = dict(zip(subset.pool, subset.worth, strict=True))
    ways = (way for n in range(1, MOST_PAID + 1) for way in combinations(subset.pool, n))
    enough = [way for way in ways if sum(gold[c] for c in way) >= subset.least] or [tuple(subset.pool)]
    return min(enough, key=lambda way: (sum(gold[c] for c in way), sum(map(mind.gain, way))))


# --- everything else that one is asked ------------------------------------------------------------------------------
def respond(mind: Mind, offers: list[OfferBody]) -> Answer:
    """React if that is possible; leave nothing that may be done."""
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
    """What others want is given up least gladly; one's own pyramid choices hurt nobody."""
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
