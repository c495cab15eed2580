"""Move a troop step by step, where entering a space with enemy units is an attack."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import Ask, Script
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .battle import attack
from .cards import COST, PARAMS, RULES, WHEN
from .powers import bonus, pay, price
from .state import Kemet, T, at, board
from .troops import (
    controls,
    crosses_walls,
    go_along,
    leave_alone,
    movement_of,
    put_units,
    room,
    say,
    take_units,
    troops_of,
)
from .veto import announce

NOTHING, STOP = verbs.nothing(), verbs.stop()


# --- choosing a troop ---------------------------------------------------------------------------------------------------
def lead_out_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.lead, troops_of(s, seat)), NOTHING]


def lead_out(t: T, f: Frame, seat: int, action: Action) -> None:
    """Choose a troop to move, by default with all units and the creature."""
    if action.verb == "nothing":
        return t.say("leads_nobody", seat)
    (space,) = action.args
    t.set(at.where, space)
    t.set(at.carried, t.s.units[space])
    t.set(at.along, bool(t.s.creatures[space]))
    t.set(at.reach, RULES["base_movement"] + bonus(t.s, seat, "movement"))
    t.set(at.departed, False)
    t.set(at.arranged, False)
    t.set(at.teleported, False)
    t.set(at.gates, False)
    t.set(at.portal, False)
    t.set(at.marching, True)
    t.say("leads", seat, t.s.carried, space)


# --- options of the troop -----------------------------------------------------------------------------------------------
def march_on_seats(s: Kemet, f: Frame) -> list[int]:
    return [f.seat] if s.marching else []


def march_on_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [
        *(verbs.carry(*who) for who in parties(s)),
        *each(verbs.step, steps(s, seat)),
        *each(verbs.teleport, teleports(s, seat)),
        *each(verbs.play, movement_cards(s, seat)),
        STOP,
    ]


def parties(s: Kemet) -> list[tuple[int, int]]:
    """Return the possible parts of the troop that could move on, as (units, creature).

    `creature` is 1 if the creature moves along. The current selection is left out. In each space the seat may select once.
    """
    if s.arranged:
        return []
    present = (0, 1) if s.creatures[s.where] else (0,)
    every = [(n, beast) for n in range(1, s.units[s.where] + 1) for beast in present]
    return [party for party in every if party != (s.carried, s.along)]


def steps(s: Kemet, seat: int) -> list[int]:
    """Return the adjacent spaces that the troop may enter with its remaining movement."""
    if s.departed and not s.reach:
        return []
    return [space for space in board(s).beside[s.where] if passable(s, seat, space) and holds_all(s, seat, space)]


def passable(s: Kemet, seat: int, space: int) -> bool:
    """Return whether walls let the troop enter a space.

    A walled district that the seat does not control can only be entered with the first step of a move, unless a card, a tile
    or a creature lets the troop cross walls.
    """
    open_to_all = not board(s).walled[space] or controls(s, seat, space) or not s.departed
    return open_to_all or s.gates or bool(bonus(s, seat, "ignore_walls")) or crosses_walls(party_creature(s))


def holds_all(s: Kemet, seat: int, space: int) -> bool:
    """Return whether there is room for the troop next to own units in a space."""
    if s.holder[space] != seat:
        return True
    return room(s, seat, space) >= s.carried and not (s.along and s.creatures[space])


def party_creature(s: Kemet) -> list[int]:
    return s.creatures[s.where] if s.along else []


def teleport_cost(s: Kemet, seat: int) -> int:
    return 0 if s.portal else price(s, seat, RULES["teleport_pp"] + bonus(s, seat, "teleport_cost_delta"))


def can_teleport(s: Kemet, seat: int) -> bool:
    """Return whether the troop may teleport.

    A troop may teleport from a pyramid, from an obelisk if the seat has a certain tile, and from anywhere with the card
    Teleportation. Apart from that card, a troop may teleport only once in a move unless the option allows more.
    """
    if s.portal:
        return True
    gate = s.level[s.where] or (bonus(s, seat, "teleport_from_obelisk") and s.where in board(s).obelisks)
    again = s.options.repeated_teleports or not s.teleported
    return bool(gate) and again and teleport_cost(s, seat) <= s.pp[seat]


def teleports(s: Kemet, seat: int) -> list[int]:
    if not can_teleport(s, seat):
        return []
    return [space for space in board(s).obelisks if space != s.where and holds_all(s, seat, space)]


def movement_cards(s: Kemet, seat: int) -> list[int]:
    return [c for c in s.di[seat] if WHEN[c] == "move" and price(s, seat, COST[c]) <= s.pp[seat]]


# --- moving -------------------------------------------------------------------------------------------------------------
def march_on(t: T, f: Frame, seat: int, action: Action) -> None:
    match action.verb:
        case "carry":
            carry(t, seat, *action.args)
        case "step":
            depart(t)
            t.add(at.reach, -1)
            enter(t, seat, action.args[0])
        case "teleport":
            teleport(t, seat, action.args[0])
        case "play":
            announce(t, seat, action.args[0], EFFECTS[str(next(iter(PARAMS[action.args[0]])))])
        case "stop":
            halt(t, seat)


def carry(t: T, seat: int, n: int, beast: int) -> None:
    t.set(at.carried, n)
    t.set(at.along, bool(beast))
    t.set(at.arranged, True)
    present = t.s.creatures[t.s.where]
    how = ("goes_on_without", "goes_on_with")[beast] if present else "goes_on"
    t.say(how, seat, n, *present)


def depart(t: T) -> None:
    """Begin the move and add the movement of the creature that moves along, if any.

    A creature that joins later adds no movement.
    """
    if not t.s.departed:
        t.add(at.reach, movement_of(party_creature(t.s)))
        t.set(at.departed, True)


def teleport(t: T, seat: int, space: int) -> None:
    paid = 0
    if not t.s.portal:
        paid = pay(t, seat, RULES["teleport_pp"] + bonus(t.s, seat, "teleport_cost_delta"))
        t.set(at.teleported, True)
    t.set(at.portal, False)
    t.say("teleports", seat, paid)
    depart(t)
    enter(t, seat, space)


def hostile(s: Kemet, seat: int, space: int) -> bool:
    return s.units[space] > 0 and s.holder[space] != seat


def enter(t: T, seat: int, space: int) -> None:
    """Enter a space with the selected units and creature, and attack any enemy there."""
    start, n, attacking = t.s.where, t.s.carried, hostile(t.s, seat, space)
    along = t.move_all(at.creatures[start], at.charging if attacking else at.creatures[space]) if t.s.along else ()
    take_units(t, start, n)
    t.set(at.where, space)
    t.set(at.arranged, False)
    if attacking:
        t.set(at.attackers, n)
        say(t, "attacks", seat, t.s.holder[space], space, n)
    else:
        put_units(t, seat, space, n)
        say(t, "moves", seat, n, start, space)
    go_along(t, seat, along)
    leave_alone(t, seat, start)
    if attacking:
        attack(t, seat, space)


def halt(t: T, seat: int) -> None:
    t.set(at.marching, False)
    t.say("stops", seat, t.s.where)


moving = Script(
    "moving",
    Ask("lead_out", lead_out_offers, lead_out),
    Ask("march_on", march_on_offers, march_on, march_on_seats, repeat=True),
)


# --- intervention cards of a move -----------------------------------------------------------------------------------------
def hasten(t: T, f: Frame) -> None:
    """Apply Swiftness, which gives the troop one more step."""
    t.add(at.reach, 1)
    t.say("hastens", f.seat)


def open_portal(t: T, f: Frame) -> None:
    """Apply Teleportation, which lets the troop teleport from anywhere for free."""
    t.set(at.portal, True)
    t.say("may_teleport", f.seat)


def open_gates(t: T, f: Frame) -> None:
    """Apply Open Gates, which lets the troop ignore walls during this move."""
    t.set(at.gates, True)
    t.say("opens_gates", f.seat)


swiftness = Script("swiftness", hasten)
teleportation = Script("teleportation", open_portal)
wide_gates = Script("open gates", open_gates)
EFFECTS = {"movement": swiftness, "free_teleport_from_anywhere": teleportation, "ignore_walls": wide_gates}
