"""Recruit units, which are all placed before they fight for districts held by enemies."""
from __future__ import annotations

from collections.abc import Sequence

from ludarium_engine.kernel.choices import Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Ask, Pick, Script
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .battle import attack
from .powers import troop_limit
from .state import NOBODY, Kemet, T, at
from .troops import city_of, enlist, room, troops_of

PAID, FREE, BY_NIGHT = range(3)                 # where units go: the city; also to own troops; as FREE, but without battles
scope = Pick("scope", shown=True)
REST = verbs.rest()                            # leave the other units in the reserve


def call_up(t: T, seat: int, n: int, kind: int) -> None:
    """Place up to `n` units from the reserve for free."""
    t.say("calls_up", seat, min(n, t.s.reserve[seat]))
    levy(t, seat, n, kind)


def levy(t: T, seat: int, n: int, kind: int) -> None:
    t.set(at.mustered, min(n, t.s.reserve[seat]))
    t.ask(placing, seat, scope=kind)


def free_districts(s: Kemet, seat: int, kind: int) -> dict[int, int]:
    """Map each possible space to the number of units that can be placed there."""
    free = {space: room(s, seat, space) for space in recruiting_spaces(s, seat, kind) if s.holder[space] in (seat, NOBODY)}
    lost = [space for space in city_of(s, seat) if s.holder[space] not in (seat, NOBODY) and kind != BY_NIGHT]
    taken = {space: troop_limit(s, seat) - s.recruits[space] for space in lost}
    return {space: n for space, n in {**free, **taken}.items() if n > 0}


def recruiting_spaces(s: Kemet, seat: int, kind: int) -> Sequence[int]:
    city = city_of(s, seat)
    return city if kind == PAID else [*city, *(space for space in troops_of(s, seat) if space not in city)]


def place_units_seats(s: Kemet, f: Frame) -> list[int]:
    return [f.seat] if s.mustered and free_districts(s, f.seat, scope(f)) else []


def place_units_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    """Return an offer for each space and each number of units.

    Outside the city, units are placed one at a time to keep the list short.
    """
    found = []
    for space, free in free_districts(s, seat, scope(f)).items():
        most = min(free, s.mustered) if space in city_of(s, seat) else 1
        found += [verbs.place(space, n) for n in range(1, most + 1)]
    return found if scope(f) == PAID else [*found, REST]


def place_units(t: T, f: Frame, seat: int, action: Action) -> bool | None:
    if action.verb == "rest":
        t.say("leaves_rest", seat)
        return DONE
    space, n = action.args
    t.add(at.mustered, -n)
    if t.s.holder[space] in (seat, NOBODY):
        enlist(t, seat, space, n)
    else:
        t.add(at.reserve[seat], -n)
        t.add(at.recruits[space], n)
        t.say("readies", seat, n, space)
    return None


def disband(t: T, f: Frame) -> None:
    t.set(at.mustered, 0)


def storm_seats(s: Kemet, f: Frame) -> list[int]:
    return [f.seat] if any(s.recruits) else []


def storm_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.storm, [space for space, n in enumerate(s.recruits) if n])


def storm(t: T, f: Frame, seat: int, action: Action) -> None:
    (space,) = action.args
    n = t.s.recruits[space]
    t.set(at.recruits[space], 0)
    t.set(at.attackers, n)
    t.say("attacks", seat, t.s.holder[space], space, n)
    attack(t, seat, space)


placing = Script(
    "placing",
    Ask("place_units", place_units_offers, place_units, place_units_seats, repeat=True, answer_if_forced=True),
    disband,
    Ask("storm", storm_offers, storm, storm_seats, repeat=True, answer_if_forced=True),
    picks=(scope,),
)
