"""A bot that teleports to temples, holds them, and recruits units for the next one."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ludarium_engine.bots.seat import Answer, Bot, Ruleset
from ludarium_engine.kernel.bodies import ChoiceBody, OfferBody, ViewBody

# indices of boxes in the data file
MOVES, RECRUIT, RAISE, PRAYERS = (0, 2), 1, 3, (4, 8)
POINTS = ("w3_victory_point", "r3_victory_point", "b3_victory_point", "b4_sphinx")
GOOD = (                                        # tiles to buy, the best first
    "b4_divine_will", "r4_act_of_god", "w4_act_of_god", "b4_act_of_god", "r4_giant_scorpion", "r4_phoenix", "w4_mummy",
    "r3_royal_scarab", "b2_ancestral_elephant", "r3_blades_of_neith", "b3_shield_of_neith", "b3_defensive_victory",
    "r2_carnage", "w2_high_priest", "w4_priest_of_amon", "b2_legion", "b1_recruiting_scribe", "b4_reinforcements",
    "w1_priest", "r1_god_speed", "r1_stargate", "b1_defense", "r1_charge",
)  # fmt: skip
RECRUITS_WANTED = 3
STRIKE = 3                                      # the smallest troop that is worth a move
SAVED = 2                                       # prayer points for a teleport


def bot(ruleset: Ruleset) -> Bot:
    """Return the bot, which recognizes boards by the numbers of seats and spaces."""
    kinds = {card.id: card.kind for card in ruleset.cards}
    worths = {card.id: card_worth(card.facts) for card in ruleset.cards if card.facts["kind"] == "battle"}
    known = {(board.seats, len(board.spaces)): temples_of(board.spaces) for board in ruleset.boards}

    def play(seat: int, view: ViewBody, choice: ChoiceBody, rng: Random) -> Answer:
        decide = DECISIONS.get(choice.prompt.id.split(".")[1])
        if decide is None:
            return Answer(rng.choice(choice.offers).id)
        there = known[len(view.zones["city"]), len(view.zones["units"])]
        return decide(seat, {**view.zones, "temples": there, "worth": worths, "kind": kinds}, choice.offers)

    return play


def temples_of(spaces: Sequence[Any]) -> list[int]:
    return [i for i, space in enumerate(spaces) if space.facts["kind"] == "temple"]


def of(offers: Sequence[OfferBody], *verbs: str) -> list[OfferBody]:
    return [offer for offer in offers if offer.verb in verbs]


def either(offers: Sequence[OfferBody], *verbs: str) -> Answer:
    """Return the first offer with one of these verbs, or otherwise the first offer.

    Earlier verbs are preferred to later ones.
    """
    return Answer(next(offer for verb in (*verbs, *(o.verb for o in offers)) for offer in offers if offer.verb == verb).id)


def temples(zones: dict[str, Any]) -> list[int]:
    found: list[int] = zones["temples"]
    return found


# --- targets ------------------------------------------------------------------------------------------------------------
def worth(seat: int, zones: dict[str, Any], space: int, units: int) -> int:
    """Return the value of entering a space with this many units, or 0 if it is useless."""
    enemies = zones["units"][space] if zones["holder"][space] != seat else 0
    if zones["holder"][space] == seat or (space not in temples(zones) and not enemies):
        return 0
    weak = units - enemies - len(zones["creatures"][space])
    prize = 6 * (space in temples(zones)) + 4 * (zones["level"][space] == 4) + 3 * (enemies > 0)
    return prize + min(weak, 2) if weak >= 1 or (weak == 0 and enemies == 1) else 0


def targets(seat: int, zones: dict[str, Any], units: int) -> list[int]:
    return [space for space in range(len(zones["units"])) if worth(seat, zones, space, units) > 0]


def strongest(seat: int, zones: dict[str, Any]) -> int:
    """Return the size of the largest troop outside temples."""
    return max((zones["units"][space] for space in free_troops(seat, zones)), default=0)


def free_troops(seat: int, zones: dict[str, Any]) -> list[int]:
    held = [space for space, holder in enumerate(zones["holder"]) if holder == seat]
    return [space for space in held if space not in temples(zones)]


# --- a turn -------------------------------------------------------------------------------------------------------------
def turn(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    cards = of(offers, "play")
    if cards:
        return Answer(cards[0].id)
    tokens = of(offers, "act", "silver", "gold")
    if not tokens:
        return either(offers, "end")
    return Answer(max(tokens, key=lambda offer: box_worth(seat, zones, offer)).id)


def box_worth(seat: int, zones: dict[str, Any], offer: OfferBody) -> float:
    box, points = offer.args[0], zones["pp"][seat]
    if offer.verb == "gold":
        box = (MOVES[0], RECRUIT)[box]
    if box in MOVES:
        units = strongest(seat, zones)
        ready = units >= STRIKE and points >= SAVED and targets(seat, zones, units)
        return 8.0 if ready else 0.5
    if box == RECRUIT:
        wanted = min(zones["reserve"][seat], points)
        return 5.0 if wanted >= RECRUITS_WANTED and strongest(seat, zones) < STRIKE + 1 else 1.0
    if box in PRAYERS:
        return 4.0 if points <= 9 else 0.2
    if box == RAISE:
        return 3.0 + points / 10 if points > SAVED + 1 else 0.8
    return 3.2 if points > SAVED else 0.6


def buy(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Buy tiles with victory points first, then tiles in the order of the list GOOD."""
    ranked = sorted(of(offers, "buy"), key=lambda offer: tile_rank(zones["kind"][offer.args[0]]))
    return Answer(ranked[0].id) if ranked else either(offers, "nothing")


def tile_rank(tile: str) -> int:
    return -1 if tile in POINTS else GOOD.index(tile) if tile in GOOD else len(GOOD)


def raise_pyramid(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Raise or found the pyramid that reaches the highest level."""
    ranked = sorted(of(offers, "raise", "found"), key=lambda offer: offer.args[-1])
    return Answer(ranked[-1].id) if ranked else either(offers, "nothing")


def muster(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return Answer(offers[-1].id)


def place(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Place units in one space, preferably with a pyramid to teleport from."""
    def together(offer: OfferBody) -> tuple[bool, int]:
        space, n = offer.args
        return zones["level"][space] > 0, zones["units"][space] + n
    return Answer(max(of(offers, "place"), key=together).id)


# --- a move -------------------------------------------------------------------------------------------------------------
def lead(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Move the strongest troop outside temples that has a target."""
    def strong(offer: OfferBody) -> tuple[int, int]:
        space = offer.args[0]
        return zones["units"][space] + len(zones["creatures"][space]), zones["level"][space] > 0
    free = [offer for offer in of(offers, "lead") if offer.args[0] in free_troops(seat, zones)]
    ready = [offer for offer in free if targets(seat, zones, zones["units"][offer.args[0]])]
    return Answer(max(ready, key=strong).id) if ready else either(offers, "nothing")


def march(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    units = zones["carried"] + len(zones["creatures"][zones["where"]])
    if zones["where"] in temples(zones):
        return either(offers, "stop")
    ways = of(offers, "step", "teleport")
    best = max(ways, key=lambda way: (worth(seat, zones, way.args[0], units), way.verb == "step"), default=None)
    if best is None or worth(seat, zones, best.args[0], units) <= 0:
        return either(offers, "stop")
    return Answer(best.id)


# --- a battle -----------------------------------------------------------------------------------------------------------
def card_worth(facts: dict[str, Any]) -> int:
    return int(3 * facts["strength"] + 2 * facts["damage"] + 2 * facts["protection"])


def fight(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Use the best card, set the worst aside, and add as much help as can be paid for."""
    best = max(offers, key=lambda offer: (zones["worth"][offer.args[0]], -zones["worth"][offer.args[1]]))
    return Answer(best.id, help_within(best))


def help_within(offer: OfferBody) -> tuple[int, ...]:
    if offer.subset is None:
        return ()
    costs = dict(zip(offer.subset.pool, offer.subset.worth, strict=True))
    chosen: list[int] = []
    left = offer.subset.most
    for card in sorted(costs, key=lambda card: costs[card]):
        if costs[card] <= left:
            chosen.append(card)
            left -= costs[card]
    return tuple(chosen)


def show(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return Answer(max(offers, key=lambda offer: zones["worth"][offer.args[0]]).id)


def replace(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return Answer(min(offers, key=lambda offer: zones["worth"][offer.args[0]]).id)


def wound(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return Answer(offers[0].id)


# --- the rest -----------------------------------------------------------------------------------------------------------
def found(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Found pyramids of level 1, so that three districts can teleport."""
    return Answer(next(offer for offer in offers if offer.args[-1] == 1).id)


def sacrifice(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Sacrifice for a point in the Sanctuary, but not in temples."""
    rich = [offer for offer in of(offers, "sacrifice") if offer.args[0] not in temples(zones)]
    return Answer(rich[0].id) if rich else either(offers, "spare")


def last(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Name other seats first, since the last seat to move can hold temples until evening."""
    return Answer(next((offer for offer in offers if offer.args[0] != seat), offers[0]).id)


def burn(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Destroy a unit of the smallest troop, if possible one in a temple."""
    def need(offer: OfferBody) -> tuple[bool, int]:
        return offer.args[0] not in temples(zones), zones["units"][offer.args[0]]
    return Answer(min(offers, key=need).id)


def veto(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return either(offers, "pass")


def night(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return either(offers, "bless", "look", "reinforce", "bless_new")


def home(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return either(offers, "deploy")


def fate(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    """Stay if allowed; otherwise recall the troop."""
    return either(offers, "stay", "recall")


def rest(seat: int, zones: dict[str, Any], offers: list[OfferBody]) -> Answer:
    return either(offers, "stay")


DECISIONS = {
    "take_turn": turn, "buy_tile": buy, "raise_pyramid": raise_pyramid, "muster": muster, "place_units": place,
    "lead_out": lead, "march_on": march, "choose_cards": fight, "show": show, "replace_card": replace, "wound": wound,
    "found_pyramid": found, "sacrifice": sacrifice, "name_next": last, "burn": burn, "veto": veto,
    "use_night_tile": night, "deploy": home, "bring_creature": home, "take_fate": fate, "rest": rest,
}  # fmt: skip
