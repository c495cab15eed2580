"""Manage units on the board, control of spaces, and creatures."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import PARAMS, RULES
from .powers import gain, troop_limit
from .state import NOBODY, Kemet, T, at, board

creature = Pick("creature", shown=True)
KEEP = verbs.keep_back()                       # leave a new creature in reserve


# --- control --------------------------------------------------------------------------------------------------------
def controller(s: Kemet, space: int) -> int:
    """Return the seat with units in a space, or the owner of an empty district."""
    return s.holder[space] if s.units[space] else s.lord[space]


def controls(s: Kemet, seat: int, space: int) -> bool:
    return controller(s, space) == seat


def holders(s: Kemet) -> list[int]:
    """Return the controllers of all temples and of the pyramids of the highest level.

    A seat has a temporary victory point for each time it is listed. NOBODY may be listed, too.
    """
    most = RULES["pyramid_max_level"]
    highest = [space for space, level in enumerate(s.level) if level == most] if most in s.level else []
    return [controller(s, space) for space in [*board(s).temples, *highest]]


def say(t: T, what: str, *args: int | FactNumbers) -> None:
    """Log a change of troops or pyramids and update temporary points."""
    t.say(what, *args)
    controllers = holders(t.s)
    for seat in range(t.s.seats):
        if (n := controllers.count(seat)) != t.s.held[seat]:
            t.set(at.held[seat], n)
            t.say("holds_temporarily", seat, n)


def city_of(s: Kemet, seat: int) -> list[int]:
    """Return the three districts of the seat's city, or [] before the seat has a city."""
    return board(s).districts[s.city[seat]] if s.city[seat] != NOBODY else []


def troops_of(s: Kemet, seat: int) -> list[int]:
    """Return the spaces where the seat has units."""
    return [space for space, n in enumerate(s.units) if n and s.holder[space] == seat]


def room(s: Kemet, seat: int, space: int) -> int:
    """Return how many more units the seat may have in a space."""
    return troop_limit(s, seat) - s.units[space]


# --- units; the callers of these functions log the moves ----------------------------------------------------------------
def put_units(t: T, seat: int, space: int, n: int) -> None:
    if n:
        t.set(at.holder[space], seat)
        t.add(at.units[space], n)


def take_units(t: T, space: int, n: int) -> None:
    t.add(at.units[space], -n)
    if not t.s.units[space]:
        t.set(at.holder[space], NOBODY)


def enlist(t: T, seat: int, space: int, n: int) -> None:
    """Place units from the reserve."""
    t.add(at.reserve[seat], -n)
    put_units(t, seat, space, n)
    say(t, "places", seat, n, space)


def withdraw(t: T, space: int, n: int) -> None:
    """Return units from a space to their owner's reserve."""
    if n:
        t.add(at.reserve[t.s.holder[space]], n)
        take_units(t, space, n)


def withdraw_attackers(t: T, seat: int, n: int) -> None:
    t.add(at.attackers, -n)
    t.add(at.reserve[seat], n)


def destroy(t: T, space: int, n: int) -> None:
    seat = t.s.holder[space]
    withdraw(t, space, n)
    say(t, "loses", seat, n, space)
    leave_alone(t, seat, space)


def recall(t: T, space: int) -> None:
    """Return all units from a space to the reserve, with a prayer point for each."""
    seat, n = t.s.holder[space], t.s.units[space]
    gained = gain(t, seat, RULES["recall_pp_per_unit"] * n)
    withdraw(t, space, n)
    say(t, "recalls", seat, n, space, gained)
    leave_alone(t, seat, space)


def recall_attackers(t: T, seat: int, space: int) -> None:
    n = t.s.attackers
    gained = gain(t, seat, RULES["recall_pp_per_unit"] * n)
    withdraw_attackers(t, seat, n)
    t.say("recalls", seat, n, space, gained)
    leave_none(t, seat)


def relocate(t: T, src: int, dst: int) -> FactNumbers:
    """Move a whole troop, and return the indices of the facts that move its creature."""
    seat, n = t.s.holder[src], t.s.units[src]
    along = t.move_all(at.creatures[src], at.creatures[dst])
    take_units(t, src, n)
    put_units(t, seat, dst, n)
    return along


def refuges(s: Kemet, seat: int, space: int, over_walls: bool = False) -> list[int]:
    """Return the adjacent spaces without units that are open to the seat.

    Args:
        s: the state.
        seat: the seat.
        space: the space from which the troop flees.
        over_walls: whether other players' walled districts are open as well.
    """
    def open_to(other: int) -> bool:
        return not s.units[other] and (over_walls or not board(s).walled[other] or s.lord[other] == seat)
    return [other for other in board(s).beside[space] if open_to(other)]


# --- creatures without a troop ----------------------------------------------------------------------------------------
def movement_of(cards: list[int]) -> int:
    return sum(int(PARAMS[card]["movement"]) for card in cards)


def crosses_walls(cards: list[int]) -> bool:
    return any(PARAMS[card]["special"] == "ignore_walls" for card in cards)


def homes(s: Kemet, seat: int) -> list[int]:
    """Return the spaces in the seat's city with own troops but no creature."""
    return [space for space in city_of(s, seat) if s.holder[space] == seat and not s.creatures[space]]


def leave_alone(t: T, seat: int, space: int) -> None:
    """Bring the creature in a space home if no units are left there."""
    if not t.s.units[space]:
        bring_home(t, seat, t.s.creatures[space], at.creatures[space])


def leave_none(t: T, seat: int) -> None:
    """Bring the attackers' creature home if no attackers are left."""
    if not t.s.attackers:
        bring_home(t, seat, t.s.charging, at.charging)


def bring_home(t: T, seat: int, cards: list[int], src: list[int]) -> None:
    """Move creatures to the reserve, from where they may join troops in the city."""
    for card in list(cards):
        t.say("returns", seat, t.move(card, src, at.stable[seat]))
        t.ask(homecoming, seat, creature=card)


def go_along(t: T, seat: int, along: FactNumbers) -> None:
    """Log that a creature moved with its troop.

    Nothing is logged if no creature moved.
    """
    if along:
        t.say("goes_along", seat, along)


def bring_creature_seats(s: Kemet, f: Frame) -> list[int]:
    return [f.seat] if homes(s, f.seat) else []


def home_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [verbs.deploy(creature(f), space) for space in homes(s, seat)]


def bring_creature(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "deploy":
        place_creature(t, seat, *action.args)
    else:
        t.say("keeps_back", seat, creature(f))


def place_creature(t: T, seat: int, card: int, space: int) -> None:
    t.say("deploys", seat, t.move(card, at.stable[seat], at.creatures[space]), space)


homecoming = Script("homecoming", Ask("bring_creature", home_offers, bring_creature, bring_creature_seats), picks=(creature,))


def welcome(t: T, seat: int, card: int) -> None:
    """Take a bought creature and let the owner place it in the city at once."""
    t.say("joins", seat, t.move(card, at.wild, at.stable[seat]))
    t.ask(arrival, seat, creature=card)


def arrival_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*home_offers(s, f, seat), KEEP]


arrival = Script("arrival", Ask("bring_creature", arrival_offers, bring_creature, bring_creature_seats), picks=(creature,))
