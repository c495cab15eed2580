"""Units on the board, who controls what, and the creatures that go with a troop."""
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
KEEP = verbs.keep_back()                       # a new creature stays in reserve


# --- control --------------------------------------------------------------------------------------------------------
def controller(s: Kemet, space: int) -> int:
    """Whose troop stands there; an empty district is its owner's, an empty temple nobody's."""
    return s.holder[space] if s.units[space] else s.lord[space]


def controls(s: Kemet, seat: int, space: int) -> bool:
    return controller(s, space) == seat


def holders(s: Kemet) -> list[int]:
    """Who controls each temple and each pyramid of level 4: a point for each."""
    most = RULES["pyramid_max_level"]
    highest = [space for space, level in enumerate(s.level) if level == most] if most in s.level else []
    return [controller(s, space) for space in [*board(s).temples, *highest]]


def say(t: T, what: str, *args: int | FactNumbers) -> None:
    """Of whatever changes troops or pyramids: temporary points change hands at once, with control."""
    t.say(what, *args)
    controllers = holders(t.s)
    for seat in range(t.s.seats):
        if (n := controllers.count(seat)) != t.s.held[seat]:
            t.set(at.held[seat], n)
            t.say("holds_temporarily", seat, n)


def city_of(s: Kemet, seat: int) -> list[int]:
    """The three districts of the seat's city."""
    return board(s).districts[s.city[seat]] if s.city[seat] != NOBODY else []


def troops_of(s: Kemet, seat: int) -> list[int]:
    """The spaces where the seat has units."""
    return [space for space, n in enumerate(s.units) if n and s.holder[space] == seat]


def room(s: Kemet, seat: int, space: int) -> int:
    """How many more units of the seat may stand there beside its own."""
    return troop_limit(s, seat) - s.units[space]


# --- units: whoever moves them says so ----------------------------------------------------------------------------------
def put_units(t: T, seat: int, space: int, n: int) -> None:
    if n:
        t.set(at.holder[space], seat)
        t.add(at.units[space], n)


def take_units(t: T, space: int, n: int) -> None:
    t.add(at.units[space], -n)
    if not t.s.units[space]:
        t.set(at.holder[space], NOBODY)


def enlist(t: T, seat: int, space: int, n: int) -> None:
    """From the reserve."""
    t.add(at.reserve[seat], -n)
    put_units(t, seat, space, n)
    say(t, "places", seat, n, space)


def withdraw(t: T, space: int, n: int) -> None:
    """Back to the owner's reserve."""
    if n:
        t.add(at.reserve[t.s.holder[space]], n)
        take_units(t, space, n)


def destroy(t: T, space: int, n: int) -> None:
    seat = t.s.holder[space]
    withdraw(t, space, n)
    say(t, "loses", seat, n, space)
    leave_alone(t, seat, space)


def recall(t: T, space: int) -> None:
    """All units of a space to the reserve, a prayer point for each."""
    seat, n = t.s.holder[space], t.s.units[space]
    gained = gain(t, seat, RULES["recall_pp_per_unit"] * n)
    withdraw(t, space, n)
    say(t, "recalls", seat, n, space, gained)
    leave_alone(t, seat, space)


def relocate(t: T, src: int, dst: int) -> FactNumbers:
    """A whole troop; returns how its creature went along."""
    seat, n = t.s.holder[src], t.s.units[src]
    along = t.move_all(at.creatures[src], at.creatures[dst])
    take_units(t, src, n)
    put_units(t, seat, dst, n)
    return along


def refuges(s: Kemet, seat: int, space: int, over_walls: bool = False) -> list[int]:
    """Adjacent spaces without any troop, and no walled district of somebody else."""
    def open_to(other: int) -> bool:
        return not s.units[other] and (over_walls or not board(s).walled[other] or s.lord[other] == seat)
    return [other for other in board(s).beside[space] if open_to(other)]


# --- creatures without a troop ----------------------------------------------------------------------------------------
def movement_of(cards: list[int]) -> int:
    return sum(int(PARAMS[card]["movement"]) for card in cards)


def crosses_walls(cards: list[int]) -> bool:
    return any(PARAMS[card]["special"] == "ignore_walls" for card in cards)


def homes(s: Kemet, seat: int) -> list[int]:
    """Where a creature may join: own troops in the own city without one."""
    return [space for space in city_of(s, seat) if s.holder[space] == seat and not s.creatures[space]]


def leave_alone(t: T, seat: int, space: int) -> None:
    """What the seat's troop leaves behind when it is gone."""
    if not t.s.units[space]:
        bring_home(t, seat, t.s.creatures[space], at.creatures[space])


def bring_home(t: T, seat: int, cards: list[int], src: list[int]) -> None:
    """A creature whose troop is gone: to a troop in the city, or to the reserve where none can take it."""
    for card in list(cards):
        t.say("returns", seat, t.move(card, src, at.stable[seat]))
        t.ask(homecoming, seat, creature=card)


def go_along(t: T, seat: int, along: FactNumbers) -> None:
    """A creature, if there is one, with its troop."""
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
    """A creature that was bought: its owner may place it in the city at once, or keep it in reserve."""
    t.say("joins", seat, t.move(card, at.wild, at.stable[seat]))
    t.ask(arrival, seat, creature=card)


def arrival_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*home_offers(s, f, seat), KEEP]


arrival = Script("arrival", Ask("bring_creature", arrival_offers, bring_creature, bring_creature_seats), picks=(creature,))
