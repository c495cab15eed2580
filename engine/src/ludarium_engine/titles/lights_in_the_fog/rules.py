"""The rules of the game.

In a turn, a ship first signals and then names another ship's lamp or keeps silent. A ship that hails another must also answer
its own question. A wrong name costs a lamp.
"""
from __future__ import annotations

from collections.abc import Iterable

from ludarium_engine.kernel.choices import Offer, each
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import Ask, Handlers, Pick, Script, by_name, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers, standings

from . import verbs
from .cards import DECK, FACTS, NUMBER, POINTS, SIGNED, SIGNS
from .state import Fog, T, at

payee = Pick("payee", shown=True)


# --- questions about a ship's lamps -------------------------------------------------------------------------------------
def has_sign(lamp: int, sign: int) -> bool:
    return sign in SIGNED[lamp]


def bears(s: Fog, ship: int, sign: int) -> bool:
    return any(has_sign(lamp, sign) for lamp in s.hand[ship])


def is_lamp(lamp: int, colour: int, number: int) -> bool:
    return lamp == lamp_of(colour, number)


def higher(s: Fog, ship: int, other: int) -> int:
    mine, theirs = highest(s, ship), highest(s, other)
    return (mine > theirs) - (mine < theirs)


def highest(s: Fog, ship: int) -> int:
    return max((NUMBER[lamp] for lamp in s.hand[ship]), default=0)


def lamp_of(colour: int, number: int) -> int:
    return SIGNED.index((colour, number))


# --- the signal: a public hail, or a bearing between two ships ----------------------------------------------------------
def masked(s: Fog) -> list[int]:
    """Return the ships that have masked lamps."""
    return [ship for ship in range(s.seats) if s.hand[ship]]


def others(s: Fog, seat: int) -> list[int]:
    return [ship for ship in masked(s) if ship != seat]


def signal_offers(s: Fog, f: Frame, seat: int) -> list[Offer]:
    hails = [(ship, sign) for ship in others(s, seat) for sign in SIGNS]
    return [*each(verbs.hail, hails), *each(verbs.bearing, others(s, seat))]


def hail(t: T, f: Frame, seat: int, ship: int, sign: int) -> None:
    t.say("hails", seat, ship, sign)
    answer(t, ship, sign)
    answer(t, seat, sign)


def answer(t: T, ship: int, sign: int) -> None:
    if t.admit("bears", ship, sign, to=EVERYBODY):
        t.set(at.yes[ship], with_noted(t.s.yes[ship], sign))
    else:
        t.set(at.no[ship], with_noted(t.s.no[ship], sign))


def with_noted(known: Iterable[int], more: int) -> list[int]:
    return sorted({*known, more})


def bearing(t: T, f: Frame, seat: int, ship: int) -> None:
    t.say("sights", seat, ship)
    t.admit("higher", seat, ship, to=(seat, ship))


# --- the name -----------------------------------------------------------------------------------------------------------
def name_offers(s: Fog, f: Frame, seat: int) -> list[Offer]:
    """Return offers to name any unseen lamp of any other ship, and to keep silent."""
    seen = {*s.hand[seat], *(lamp for log in s.log for lamp in log)}
    lamps = [lamp for lamp in DECK if lamp not in seen]
    return [*each(verbs.name, [(ship, *SIGNED[lamp]) for ship in others(s, seat) for lamp in lamps]), verbs.silence()]


def name(t: T, f: Frame, seat: int, ship: int, colour: int, number: int) -> None:
    t.say("names", seat, ship, colour, number)
    if t.admit("carries", ship, colour, number, to=EVERYBODY):
        t.say("logs", seat, lose(t, ship, lamp_of(colour, number), seat), ship)
        fill_up(t, ship)
    else:
        t.set(at.missed[ship], with_noted(t.s.missed[ship], lamp_of(colour, number)))
        owe(t, seat, ship)


def silence(t: T, f: Frame, seat: int) -> None:
    t.say("keeps_silent", seat)


def lose(t: T, ship: int, lamp: int, to: int) -> FactNumbers:
    """Move a ship's lamp to the logbook of ship `to`.

    The ship's positive answers about the lamp's signs are forgotten, since they may have been about this lamp only.
    """
    t.set(at.yes[ship], [sign for sign in t.s.yes[ship] if sign not in SIGNED[lamp]])
    return t.move(lamp, at.hand[ship], at.log[to])


def fill_up(t: T, ship: int) -> None:
    """Draw a lamp for a ship from the hold, and forget the ship's negative answers."""
    if t.s.deck:
        t.set(at.no[ship], [])
        t.set(at.missed[ship], [])
        t.say("masks", ship, t.draw(1, at.deck, at.hand[ship]))


# --- a wrong name: the ship that was named gets one of the lamps --------------------------------------------------------
def owe(t: T, seat: int, ship: int) -> None:
    if t.s.hand[seat]:
        t.ask(payment, seat, payee=ship)
    else:
        t.say("has_none", seat)


def pay_seats(s: Fog, f: Frame) -> list[int]:
    return [f.seat] if s.hand[f.seat] else []


def pay_offers(s: Fog, f: Frame, seat: int) -> list[Offer]:
    return each(verbs.pay, s.hand[seat])


def pay(t: T, f: Frame, seat: int, lamp: int) -> None:
    t.say("hands_over", seat, lose(t, seat, lamp, payee(f)), payee(f))


# --- rounds and points --------------------------------------------------------------------------------------------------
def next_turn(t: T, f: Frame) -> None:
    following = turn_order_from(t.s, f.seat + 1)[0]
    if following == t.s.first:
        t.add(at.bells, -1)
        t.say("bell", t.s.bells)
    if not t.s.bells or len(masked(t.s)) < 2:
        finish(t)
    else:
        begin(t, following)


def begin(t: T, seat: int) -> None:
    t.pass_turn(seat)
    t.ask(turn, seat)


def logged(s: Fog, seat: int) -> int:
    return sum(POINTS[lamp] for lamp in s.log[seat])


def kept(s: Fog, seat: int) -> int:
    return FACTS.dark * len(s.hand[seat])


def finish(t: T) -> None:
    if t.s.bells:
        t.say("early_end")
    for seat in range(t.s.seats):
        t.say("scores", seat, result(t.s, seat)[0], logged(t.s, seat), kept(t.s, seat))
    places = standing(t.s)
    for seat in [seat for seat, place in enumerate(places) if place == 1]:
        t.say("wins" if places.count(1) == 1 else "shares", seat, *result(t.s, seat))
    t.end(places)


def standing(s: Fog) -> list[int]:
    return standings([result(s, seat) for seat in range(s.seats)])


def result(s: Fog, seat: int) -> tuple[int, int]:
    """Return a seat's points and, to break ties, the number of lamps in its logbook."""
    return logged(s, seat) + kept(s, seat), len(s.log[seat])


SIGNALS: Handlers = {verbs.hail: hail, verbs.bearing: bearing}
NAMES: Handlers = {verbs.name: name, verbs.silence: silence}
turn = Script("turn", Ask("signal", signal_offers, SIGNALS), Ask("name", name_offers, NAMES), next_turn)
payment = Script("payment", Ask("pay", pay_offers, {verbs.pay: pay}, pay_seats), picks=(payee,))
SCRIPTS = by_name(turn, payment)


def setup(t: T) -> None:
    t.roll(at.first, range(t.s.seats))
    t.say("is_first", t.s.first)
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.say("masks", seat, t.draw(FACTS.hand[t.s.seats - 2], at.deck, at.hand[seat]))
    begin(t, t.s.first)
