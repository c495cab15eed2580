"""Roll two dice, which can be changed with domains."""
from __future__ import annotations

from collections.abc import Callable

from ludarium_engine.kernel.choices import Action, Offer
from ludarium_engine.kernel.scripts import DONE
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import BY_NAME
from .state import T, Valeria, at
from .tokens import bring, resting, roles, working

FACES = range(1, 7)
GARGAN = BY_NAME["gargans_embrace"]


# Foxgrove Palisade: change one die to 6 for 2 gold.
def palisade(s: Valeria, seat: int, die: int) -> tuple[int, int]:
    return 2, 6


# The Desert Orchid: change one die to 1 for 1 gold per holy citizen.
def orchid(s: Valeria, seat: int, die: int) -> tuple[int, int]:
    return roles(s, seat)["holy"], 1


# Palace of the Dawn: lower one die by 1, not below 1.
def palace(s: Valeria, seat: int, die: int) -> tuple[int, int]:
    return 0, max(1, die - 1)


CHANGES: dict[int, Callable[[Valeria, int, int], tuple[int, int]]] = {      # the cost in gold, and the new value
    BY_NAME["foxgrove_palisade"]: palisade,
    BY_NAME["the_desert_orchid"]: orchid,
    BY_NAME["palace_of_the_dawn"]: palace,
}


def roll(t: T, f: Frame) -> None:
    t.set(at.used, [])
    for i in (0, 1):
        t.roll(at.dice[i], FACES)
    tell(t, f.seat, *t.s.dice, sum(t.s.dice))
    doubles(t)


def tell(t: T, seat: int, *rolled: int) -> None:
    if (idle := resting(t.s)) is None:
        t.say("rolls", seat, *rolled)
    else:
        t.say("casts", seat, *rolled, idle)


def doubles(t: T) -> None:
    """Apply Gargan's Embrace, which gives 1 point whenever the dice show equal numbers.

    The owner gets the point in any seat's roll phase.
    """
    owners = [seat for seat, built in enumerate(t.s.built) if GARGAN in built]
    if t.s.dice[0] == t.s.dice[1]:
        for seat in owners:
            bring(t, seat, GARGAN, {"vp": 1})


def change_offers(s: Valeria, f: Frame, seat: int) -> list[Offer]:
    """Return offers to change a die with each domain that was not used in this phase."""
    found = []
    for card in working(s, seat):
        if card in CHANGES and card not in s.used:
            found += [verbs.change(card, i) for i in (0, 1) if useful(s, seat, card, s.dice[i])]
    return [*found, verbs.announce()] if found else []


def useful(s: Valeria, seat: int, card: int, die: int) -> bool:
    cost, becomes = CHANGES[card](s, seat, die)
    return becomes != die and s.gold[seat] >= cost


def change(t: T, f: Frame, seat: int, action: Action) -> bool:
    if action.verb == "announce":
        t.say("announces", seat, *t.s.dice, sum(t.s.dice))
        return DONE
    card, i = action.args
    die = t.s.dice[i]
    cost, becomes = CHANGES[card](t.s, seat, die)
    t.set(at.used, [*t.s.used, card])
    t.add(at.gold[seat], -cost)
    t.set(at.dice[i], becomes)
    t.say("changes", seat, card, die, becomes, cost)
    doubles(t)
    return not DONE
