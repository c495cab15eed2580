"""Carry out all actions except moving.

They are praying, raising pyramids, buying tiles and recruiting.
"""
from __future__ import annotations

from typing import Any

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .battle import take_back
from .cards import BLUE, COLOUR, ID, LEVEL, NAME, PARAMS, RED, RULES, SPECIALS, WHITE, card_of
from .powers import bonus, earn, gain, pay, price, pyramid_limit
from .recruiting import PAID, free_districts, levy
from .state import NO_PYRAMID, NOBODY, Kemet, T, at
from .troops import city_of, controls, homes, place_creature, say, welcome

colour = Pick("colour", shown=True)
special = Pick("special", shown=True)
NOTHING = verbs.nothing()                      # an action token may be placed without an effect


# --- pray -------------------------------------------------------------------------------------------------------------
def pray(t: T, seat: int) -> None:
    t.say("prays", seat, gain(t, seat, RULES["pray_pp"] + bonus(t.s, seat, "pray_bonus")))


# --- raise a pyramid ----------------------------------------------------------------------------------------------------
def raising_cost(s: Kemet, seat: int, before: int, after: int) -> int:
    """Return the cost of raising a pyramid, in prayer points.

    Each level that is added costs as many prayer points as its number. The tile Slaves reduces the cost of each level by 1.
    """
    less = bonus(s, seat, "pyramid_cost_per_level_delta")
    return sum(max(0, level + less) for level in range(before + 1, after + 1))


def levels(s: Kemet, seat: int, before: int) -> list[int]:
    """Return the levels to which the seat can pay to raise a pyramid."""
    higher = range(before + 1, pyramid_limit(s) + 1)
    return [level for level in higher if price(s, seat, raising_cost(s, seat, before, level)) <= s.pp[seat]]


def own_districts(s: Kemet, seat: int) -> list[int]:
    """Return the seat's districts, or only controlled ones if the option says so."""
    return [space for space in city_of(s, seat) if s.options.raise_lost_pyramids or controls(s, seat, space)]


def raisable(s: Kemet, seat: int) -> list[int]:
    """Return the spaces of own pyramids and, if the option allows, captured pyramids."""
    own = own_districts(s, seat)
    taken = [space for space, lord in enumerate(s.lord) if lord not in (seat, NOBODY) and controls(s, seat, space)]
    return [space for space in own + taken * s.options.raise_captured_pyramids if s.level[space]]


def foundations(s: Kemet, seat: int) -> list[tuple[int, int]]:
    """Return each possible site of a new pyramid with each missing colour."""
    city = city_of(s, seat)
    missing = [c for c in (WHITE, RED, BLUE) if all(s.pyramid[space] != c for space in city)]
    return [(space, c) for space in own_districts(s, seat) if s.pyramid[space] == NO_PYRAMID for c in missing]


def raise_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    higher = [verbs.raise_(space, level) for space in raisable(s, seat) for level in levels(s, seat, s.level[space])]
    new = [verbs.found(*site, level) for site in foundations(s, seat) for level in levels(s, seat, 0)]
    return [*higher, *new, NOTHING]


def raise_pyramid(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "nothing":
        return t.say("raises_nothing", seat)
    space, level = action.args[0], action.args[-1]
    paid = pay(t, seat, raising_cost(t.s, seat, t.s.level[space], level))
    if action.verb == "found":
        t.set(at.pyramid[space], action.args[1])
    t.set(at.level[space], level)
    said = "founds_for" if action.verb == "found" else "raises"
    say(t, said, seat, t.s.pyramid[space], space, level, paid)


raising = Script("raising", Ask("raise_pyramid", raise_offers, raise_pyramid, answer_if_forced=True))


# --- buy a tile ---------------------------------------------------------------------------------------------------------
def best_level(s: Kemet, seat: int, c: int) -> int:
    """Return the highest level among the seat's pyramids of a colour.

    All pyramids that the seat controls are considered.
    """
    return max((s.level[x] for x, own in enumerate(s.pyramid) if own == c and controls(s, seat, x)), default=0)


def tile_cost(s: Kemet, seat: int, tile: int) -> int:
    return max(0, LEVEL[tile] + bonus(s, seat, "tile_cost_delta"))


def affordable_tiles(s: Kemet, seat: int, c: int) -> list[int]:
    """Return one copy of each tile that the seat can buy.

    A seat may own only one tile with each name.
    """
    best, mine = best_level(s, seat, c), {NAME[tile] for tile in s.tiles[seat]}
    found = {NAME[tile]: tile for tile in reversed(s.market) if COLOUR[tile] == c and LEVEL[tile] <= best}
    return sorted(t for name, t in found.items() if name not in mine and price(s, seat, tile_cost(s, seat, t)) <= s.pp[seat])


def buy_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.buy, affordable_tiles(s, seat, colour(f))), NOTHING]


def buy_tile(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "nothing":
        return t.say("buys_nothing", seat)
    (tile,) = action.args
    paid = pay(t, seat, tile_cost(t.s, seat, tile))
    t.say("buys", seat, t.move(tile, at.market, at.tiles[seat]), paid)
    unpack(t, seat, PARAMS[tile])


def unpack(t: T, seat: int, params: dict[str, Any]) -> None:
    """Apply a bought tile's immediate effects.

    A tile may give victory points, a creature or a special battle card.
    """
    if "permanent_vp" in params:
        earn(t, seat, params["permanent_vp"])
        t.say("gains_point", seat)
    if "creature" in params:
        welcome(t, seat, card_of(str(params["creature"])))
    if "special_battle_card" in params:
        take_back(t, seat)
        t.ask(drill, seat, special=special_card(str(params["special_battle_card"])))


def special_card(name: str) -> int:
    return next(card for card in SPECIALS if ID[card] == name)


buying = Script("buying", Ask("buy_tile", buy_offers, buy_tile, answer_if_forced=True), picks=(colour,))


def replace_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.replace, s.hand[seat])


def replace_card(t: T, f: Frame, seat: int, action: Action) -> None:
    """Replace a battle card with the special one, and remove the old card from the game."""
    old = t.move(action.args, at.hand[seat], at.out)
    t.say("replaces", seat, old, t.move(special(f), at.specials, at.hand[seat]))


drill = Script("drill", Ask("replace_card", replace_offers, replace_card), picks=(special,))


# --- recruit ------------------------------------------------------------------------------------------------------------
def recruiting_cost(s: Kemet, seat: int, n: int) -> int:
    """Return the cost of recruiting, which is 1 prayer point for each unit.

    Units that Recruiting Scribe gives are free. An option decides whether Priest of Ra reduces the cost.
    """
    cost = max(0, n - bonus(s, seat, "recruit_free_units")) * RULES["recruit_pp_per_unit"]
    return price(s, seat, cost) if s.options.ra_discounts_recruiting else cost


def muster_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    most = min(s.reserve[seat], sum(free_districts(s, seat, PAID).values()))
    return each(verbs.muster, [n for n in range(most + 1) if recruiting_cost(s, seat, n) <= s.pp[seat]])


def muster(t: T, f: Frame, seat: int, action: Action) -> None:
    (n,) = action.args
    cost = recruiting_cost(t.s, seat, n)
    t.add(at.pp[seat], -cost)
    if n:
        t.say("recruits", seat, n, cost)
        levy(t, seat, n, PAID)
    else:
        t.say("recruits_nobody", seat)


def deploy_seats(s: Kemet, f: Frame) -> list[int]:
    return [f.seat] if s.stable[f.seat] and homes(s, f.seat) else []


def deploy_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    pairs = [(creature, space) for creature in s.stable[seat] for space in homes(s, seat)]
    return [*(verbs.deploy(*pair) for pair in pairs), NOTHING]


def deploy(t: T, f: Frame, seat: int, action: Action) -> bool | None:
    """Let a creature from the reserve join a troop in the city, or end the deployment."""
    if action.verb == "nothing":
        t.say("deploys_nothing", seat)
        return DONE
    place_creature(t, seat, *action.args)
    return None


recruiting = Script(
    "recruiting",
    Ask("muster", muster_offers, muster, answer_if_forced=True),
    Ask("deploy", deploy_offers, deploy, deploy_seats, repeat=True),
)
