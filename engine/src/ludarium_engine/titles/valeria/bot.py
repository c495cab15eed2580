"""A bot that slays and builds for points, and recruits many citizens first."""
from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

CITIZEN_WORTH = {                               # the tokens that its powers bring in a round, as an estimate
    "cleric": 1.0, "merchant": 1.3, "peasant": 1.5, "knight": 1.5, "rogue": 2.2, "thief": 1.8, "champion": 2.2, "warlord": 1.5,
    "paladin": 1.6, "priestess": 1.6, "butcher": 1.4, "miner": 1.4,
}  # fmt: skip
OTHER_WORTH = 1.2
DUKES: dict[str, tuple[dict[str, int], int]] = {        # points for each card or role icon, and a preference
    "cornelius_the_dreamer": ({"domain": 3}, 4),
    "elsyn_saint_of_shadows": ({"shadow": 2, "holy": 2}, 9),
    "elisium_the_allsmith": ({"worker": 1, "soldier": 1, "shadow": 1, "holy": 1}, 5),
    "hrothgar_the_conqueror": ({"monster": 2}, 8),
    "isabella_the_righteous": ({"soldier": 1, "holy": 2}, 7),
    "lekzandr_the_protector": ({"worker": 1, "holy": 2}, 7),
    "node_master_of_swords": ({"soldier": 1, "shadow": 2}, 7),
    "reese_the_firebrand": ({"monster": 1, "citizen": 1, "domain": 1}, 6),
    "simon_the_unclean": ({"worker": 1, "soldier": 1}, 4),
    "waryn_lord_of_rogues": ({"worker": 1, "shadow": 2}, 7),
}
UNKNOWN_DUKE: tuple[dict[str, int], int] = {}, 0
ROLES = ("worker", "soldier", "shadow", "holy")
ICONS = 0.6                                     # the average number of icons of one role on a domain
DEARER = 0.8                                    # the cost of raising the price of further copies
ENOUGH = 8                                      # with as many cards in the tableau, only points count
Zones = dict[str, Any]


def bot(ruleset: Ruleset) -> Bot:
    cards = {card.id: card for card in ruleset.cards}

    def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
        worth, zones = WORTH.get(choice.prompt.id, anything), {**view.zones, "cards": cards}
        best = max(choice.offers, key=lambda offer: worth(seat, zones, offer) + rng.random() / 100)
        return Answer(best.id, (min(best.subset.pool),) if best.subset else ())

    return play


def kind_of(zones: Zones, card: int) -> str:
    return str(zones["cards"][card].kind)


def printed(zones: Zones, card: int, fact: str) -> Any:
    return zones["cards"][card].facts[fact]


def anything(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Prefer any other offer to passing."""
    return float(offer.verb not in ("pass", "announce"))


def duke(seat: int, zones: Zones, offer: OfferBody) -> float:
    return DUKES.get(kind_of(zones, offer.args[0]), UNKNOWN_DUKE)[1]


def action(seat: int, zones: Zones, offer: OfferBody) -> float:
    scores = DUKES.get(kind_of(zones, zones["duke"][seat][0]), UNKNOWN_DUKE)[0] if zones["duke"][seat] else {}
    match offer.verb:
        case "slay":
            return points(zones, offer.args[0]) + scores.get("monster", 0)
        case "build":
            by_role = sum(scores.get(role, 0) for role in ROLES)
            return points(zones, offer.args[0]) + scores.get("domain", 0) + ICONS * by_role
        case "recruit":
            return recruiting(seat, zones, offer.args[0], scores)
        case "gain":
            return gathering(seat, zones, offer.args[0])
        case _:
            return 0


def points(zones: Zones, card: int) -> int:
    return int(printed(zones, card, "vp"))


def worth_of(kind: str) -> float:
    return CITIZEN_WORTH.get(kind, OTHER_WORTH)


def recruiting(seat: int, zones: Zones, card: int, scores: dict[str, int]) -> float:
    """Return a citizen's estimated value.

    The value consists of the points from the duke and the worth of the citizen's powers, minus a penalty for each card of the
    same kind. Powers are worth less the more cards the tableau contains.
    """
    owned = zones["tableau"][seat]
    missing: int = max(0, ENOUGH - len(owned))
    kind = kind_of(zones, card)
    same: int = sum(kind_of(zones, other) == kind for other in owned)
    by_duke = sum(scores.get(role, 0) for role in printed(zones, card, "roles")) + scores.get("citizen", 0)
    return by_duke + worth_of(kind) * missing - DEARER * same


def gathering(seat: int, zones: Zones, resource: int) -> float:
    """Prefer the resource that the seat has least of."""
    held: list[int] = [zones["gold"][seat], zones["strength"][seat], zones["magic"][seat]]
    return 1 - held[resource] / 100


def harvest(seat: int, zones: Zones, offer: OfferBody) -> float:
    gold, strength, magic = offer.args
    return gold + strength + 1.1 * magic


def reward(seat: int, zones: Zones, offer: OfferBody) -> float:
    return {"draw": offer.args[-1] if offer.args else 0, "take": 3.5, "pay": 1}.get(offer.verb, 0)


def theft(seat: int, zones: Zones, offer: OfferBody) -> float:
    return offer.args[-1] if offer.args else 0


def sacrifice(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Put back the least valuable card if the reward is worth more than the card."""
    if offer.verb == "pass":
        return 0
    card = offer.args[0]
    return 3 - (worth_of(kind_of(zones, card)) if printed(zones, card, "kind") == "citizen" else points(zones, card))


def surrender(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Give up a citizen rather than a domain, and any card rather than the solo game."""
    if offer.verb == "fall":
        return -10
    return -float(printed(zones, offer.args[1], "kind") == "domain")


def die(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Never change the dice."""
    return float(offer.verb == "announce")


WORTH: dict[str, Callable[[int, Zones, OfferBody], float]] = {
    "prompt.keep": duke,
    "prompt.act": action,
    "prompt.slay_extra": action,
    "prompt.harvest": harvest,
    "prompt.harvest.consolation": harvest,
    "prompt.claim": reward,
    "prompt.claim.pay": reward,
    "prompt.rob": theft,
    "prompt.rob.bank": theft,
    "prompt.put_back_monster": sacrifice,
    "prompt.put_back_citizen": sacrifice,
    "prompt.strike": surrender,
    "prompt.change": die,
}
