"""Slays and builds for points whenever it can, gathers citizens first, and keeps magic for last."""
from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.bots.seat import Answer, Bot, Ruleset
from engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

FIRST_MONSTER, FIRST_DOMAIN, FIRST_DUKE = 118, 166, 190          # card ids; citizens come before them
COPIES = 6                                      # of a citizen, and cards of an area
MONSTER_POINTS = (                              # of the six of each area, the weakest first
    (1, 1, 1, 2, 2, 4), (1, 1, 1, 1, 3, 5), (2, 2, 2, 3, 3, 4), (1, 1, 1, 2, 2, 5),
    (2, 2, 2, 3, 3, 6), (3, 3, 3, 3, 4, 6), (3, 3, 3, 3, 3, 6), (3, 3, 3, 3, 4, 7),
)  # fmt: skip
DOMAIN_POINTS = (3, 3, 5, 3, 3, 2, 2, 1, 3, 2, 1, 1, 2, 3, 3, 3, 2, 3, 4, 4, 3, 2, 3, 3)
CITIZEN_WORTH = (                               # by kind, roughly what its powers bring in a round
    1.0, 1.2, 1.3, 1.2, 1.2, 1.2, 1.2, 1.2, 1.5, 1.5, 2.2, 1.8, 2.2, 1.5, 1.6, 1.6, 1.4, 1.4,
)  # fmt: skip
CITIZEN_ROLES = "HHWWssSSWSssSSHHWW"             # by kind: Worker, Soldier, shadow, Holy
DUKES = (                                       # what a role icon (W, S, s, H), a monster (m), citizen (c), domain (d) scores
    {"d": 3}, {"s": 2, "H": 2}, {"W": 1, "S": 1, "s": 1, "H": 1}, {"m": 2}, {"S": 1, "H": 2},
    {"W": 1, "H": 2}, {"S": 1, "s": 2}, {"m": 1, "c": 1, "d": 1}, {"W": 1, "S": 1}, {"W": 1, "s": 2},
)  # fmt: skip
DUKE_RANK = (4, 9, 5, 8, 7, 7, 7, 6, 4, 7)      # which ones it keeps rather
ICONS = 0.6                                     # how many role icons of a sort a domain has on average
DEARER = 0.8                                    # what is lost by a higher price
ENOUGH = 8                                      # cards in the tableau: from then on only points count
Zones = dict[str, Any]


def bot(ruleset: Ruleset) -> Bot:
    return play


def play(seat: int, view: ViewBody, choice: ChoiceBody, luck: Random) -> Answer:
    worth = WORTH.get(choice.prompt.id, anything)
    best = max(choice.offers, key=lambda offer: worth(seat, view.zones, offer) + luck.random() / 100)
    return Answer(best.id, (min(best.subset.pool),) if best.subset else ())


def anything(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Rather something than nothing."""
    return float(offer.verb not in ("pass", "announce"))


def duke(seat: int, zones: Zones, offer: OfferBody) -> float:
    return DUKE_RANK[offer.args[0] - FIRST_DUKE]


def action(seat: int, zones: Zones, offer: OfferBody) -> float:
    scores = DUKES[zones["duke"][seat][0] - FIRST_DUKE]
    match offer.verb:
        case "slay":
            return points(offer.args[0]) + scores.get("m", 0)
        case "build":
            return points(offer.args[0]) + scores.get("d", 0) + ICONS * sum(scores.get(role, 0) for role in "WSsH")
        case "recruit":
            return recruiting(seat, zones, offer.args[0], scores)
        case "gain":
            return gathering(seat, zones, offer.args[0])
        case _:
            return 0


def points(card: int) -> int:
    if card >= FIRST_DOMAIN:
        return DOMAIN_POINTS[card - FIRST_DOMAIN]
    area, nth = divmod(card - FIRST_MONSTER, COPIES)
    return MONSTER_POINTS[area][nth]


def recruiting(seat: int, zones: Zones, card: int, scores: dict[str, int]) -> float:
    """What the duke gives, and the worth of its powers as long as there are few citizens; less for every namesake."""
    owned = zones["tableau"][seat]
    missing: int = max(0, ENOUGH - len(owned))
    same: int = sum(other // COPIES == card // COPIES for other in owned)
    by_duke = scores.get(CITIZEN_ROLES[card // COPIES], 0) + scores.get("c", 0)
    return by_duke + CITIZEN_WORTH[card // COPIES] * missing - DEARER * same


def gathering(seat: int, zones: Zones, resource: int) -> float:
    """The one that there is least of."""
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
    """Put back what is worth least, as long as that is less than the tokens it brings."""
    if offer.verb == "pass":
        return 0
    card = offer.args[0]
    return 3 - (points(card) if card >= FIRST_MONSTER else CITIZEN_WORTH[card // COPIES])


def surrender(seat: int, zones: Zones, offer: OfferBody) -> float:
    """Alone: rather a citizen than a domain, and anything rather than the game."""
    if offer.verb == "fall":
        return -10
    return -float(offer.args[1] >= FIRST_DOMAIN)


def die(seat: int, zones: Zones, offer: OfferBody) -> float:
    """The dice stay as they fell."""
    return float(offer.verb == "announce")


WORTH: dict[str, Callable[[int, Zones, OfferBody], float]] = {
    "prompt.keep": duke,
    "prompt.act": action,
    "prompt.slay_extra": action,
    "prompt.harvest": harvest,
    "prompt.claim": reward,
    "prompt.rob": theft,
    "prompt.put_back_monster": sacrifice,
    "prompt.put_back_citizen": sacrifice,
    "prompt.strike": surrender,
    "prompt.change": die,
}
