"""Cards that seats can play in another seat's turn, each in a window of its own.

The window asks every seat that, by public knowledge, may hold such a card (see `memory`). All asked seats get the same
prompt; a seat without the card can only pass. There are no reactions to reactions.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ludarium_engine.kernel.choices import CARD, PASS, Action, Offer, Verb, each
from ludarium_engine.kernel.scripts import Pick, Script, Sealed, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import REACTION
from .draws import draw
from .memory import may_hold, seen
from .pyramid import BASE, cards_in, crumble, occupied, remove, space_of
from .state import T, Valley, at

PASSED = Action("pass")
card = Pick("card", CARD, shown=True)           # the card that was bought or sacrificed, or that a Boat takes
boat_card = Pick("boat", shown=True)


def held(s: Valley, seat: int, name: str) -> list[int]:
    return [c for c in s.hand[seat] if REACTION[c] == name]


def willing(t: T, answers: dict[int, Action]) -> list[int]:
    """Return the seats that did not pass, and log the others.

    The order begins to the left of the active seat, so the active seat is last.
    """
    asked = [p for p in turn_order_from(t.s, t.s.turn + 1) if p in answers]
    pass_up(t, [p for p in asked if answers[p] == PASSED])
    return [p for p in asked if answers[p] != PASSED]


def play(t: T, seat: int, reaction: int) -> FactNumbers:
    seen(t, reaction, seat)
    return t.move(reaction, at.hand[seat], at.discard[seat])


def pass_up(t: T, seats: Iterable[int]) -> None:
    for seat in seats:
        t.say("passes", seat)


# --- Boat: after an opponent's purchase has crumbled, discard it and take a base card; the pyramid crumbles again ---
def boat_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [p for p in turn_order_from(s, f.seat + 1) if p != f.seat and may_hold(s, p, "boat")] if occupied(s, BASE) else []


def boat_offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
    return [PASS, *(verbs.boat(b, c) for b in held(s, seat, "boat") for c in cards_in(s, BASE))]


def use_boats(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat in reversed(willing(t, answers)):
        used, what = answers[seat].args
        t.ask(sail, seat, boat=used, card=what)


def board(t: T, f: Frame) -> None:
    """Use a Boat, unless a Boat of an earlier seat has already taken the chosen card."""
    where = space_of(t.s, card(f))
    if where not in BASE:
        return t.say("passes", f.seat)
    used = play(t, f.seat, boat_card(f))
    seen(t, card(f), f.seat)
    t.say("sails", f.seat, used, remove(t, where, at.discard[f.seat]))
    return crumble(t, f.seat, where)


boat = Script("boat", Sealed("use_boats", boat_offers, use_boats, boat_seats, pass_action=PASSED), picks=(card,))
sail = Script("sail", board, picks=(boat_card, card))


# --- Mummified Cat: when an opponent has sacrificed a card, discard it and take that card ---------------------------
def cat_seats(s: Valley, f: Frame) -> Sequence[int]:
    """Return the seats that may hold a Mummified Cat, except the sacrificing seat.

    If another seat had to sacrifice, the active seat is asked as well.
    """
    return [p for p in turn_order_from(s, s.turn + 1) if p != f.seat and may_hold(s, p, "cat")]


def use_cat(t: T, f: Frame, answers: dict[int, Action]) -> None:
    """Let the first seat in turn order that used a Mummified Cat take the card."""
    found = willing(t, answers)
    for seat in found[:1]:
        used = play(t, seat, *answers[seat].args)
        t.say("pounces", seat, used, t.move(card(f), at.boneyard, at.discard[seat]))
        seen(t, card(f), seat)
    pass_up(t, found[1:])


def offers_of(verb: Verb) -> Callable[[Valley, Frame, int], list[Offer]]:
    def offers(s: Valley, f: Frame, seat: int) -> list[Offer]:
        return [PASS, *each(verb, held(s, seat, verb.name))]

    return offers


cat = Script("cat", Sealed("use_cat", offers_of(verbs.cat), use_cat, cat_seats, pass_action=PASSED), picks=(card,))


# --- Physician: save a card that an opponent's action makes the seat sacrifice; it goes to the seat's discard pile 
def heal_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [f.seat] if may_hold(s, f.seat, "physician") else []


def heal(t: T, f: Frame, answers: dict[int, Action]) -> None:
    """Move the saved card to the seat's discard pile, above Physician.

    No sacrifice takes place, so no Mummified Cat can be used.
    """
    for seat in willing(t, answers):
        used = play(t, seat, *answers[seat].args)
        seen(t, card(f), seat)
        t.say("heals", seat, used, t.move(card(f), at.revealed, at.discard[seat]))


def bury(t: T, f: Frame) -> None:
    if card(f) in t.s.revealed:
        t.say("buried", t.move(card(f), at.revealed, at.boneyard))
        t.ask(cat, f.seat, card=card(f))


healing = Sealed("heal", offers_of(verbs.physician), heal, heal_seats, pass_action=PASSED)
yielded = Script("yielded", healing, bury, picks=(card,))


# --- Headrest: after an opponent's action made the seat discard or sacrifice, discard it and draw two cards -----------
def rest_seats(s: Valley, f: Frame) -> Sequence[int]:
    return [p for p in s.struck if may_hold(s, p, "headrest")]


def rest(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat in willing(t, answers):
        t.say("rests", seat, play(t, seat, *answers[seat].args))
        draw(t, seat, 2)


headrest = Script("headrest", Sealed("rest", offers_of(verbs.headrest), rest, rest_seats, pass_action=PASSED))


# --- Sacrificing ----------------------------------------------------------------------------------------------------
def sacrifice(t: T, seat: int, what: int, src: list[int]) -> None:
    """Sacrifice a card of the seat to the boneyard.

    If an opponent's action demands it, the seat may first save the card with a Physician.
    """
    at_once = seat == t.s.turn or not may_hold(t.s, seat, "physician")
    seen(t, what)
    if at_once:
        t.say("sacrifices", seat, t.move(what, src, at.boneyard))
        t.ask(cat, seat, card=what)
    else:
        t.say("must_sacrifice", seat, t.move(what, src, at.revealed))
        t.ask(yielded, seat, card=what)


def sacrifice_card(t: T, seat: int, what: int, said: str) -> None:
    """Sacrifice a card of the pyramid to the boneyard.

    The pyramid crumbles before the seats are asked for a Mummified Cat.
    """
    where = space_of(t.s, what)
    if where is not None:
        t.say(said, seat, remove(t, where, at.boneyard))
        t.ask(cat, seat, card=what)
        crumble(t, seat, where)


SCRIPTS = (boat, sail, cat, yielded, headrest)
