"""Announce intervention cards and let other players cancel them with a Veto.

A Veto can be cancelled as well. A card's effect is put on the agenda below the announcement, and is dropped if the card is
cancelled.
"""
from __future__ import annotations

from collections.abc import Iterable

from ludarium_engine.kernel.choices import CARD, PASS, Action, Offer, each
from ludarium_engine.kernel.scripts import DONE, Pick, Script, Sealed, turn_order_from
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.kernel.table import FactNumbers

from . import verbs
from .cards import COPIES, COST, ID
from .powers import pay, price
from .state import Kemet, T, at

card = Pick("card", CARD, shown=True)
PASSED = Action("pass")                         # the answer of a seat that always passes a window


def could_hold(s: Kemet, seat: int, name: str) -> bool:
    """Return whether, by public knowledge, a seat may hold a card.

    This is possible if the seat has cards and some copies have been neither announced nor discarded.
    """
    seen = [*s.di_discards, *s.announced]
    return bool(s.di[seat]) and sum(ID[c] == name for c in seen) < COPIES[name]


def holds(s: Kemet, seat: int, name: str) -> list[int]:
    """Return the cards with this id that the seat holds and can pay for.

    The result is secret and may be shown to this seat only.
    """
    return [c for c in s.di[seat] if ID[c] == name and price(s, seat, COST[c]) <= s.pp[seat]]


def announce(t: T, seat: int, played: int, effect: Script | None = None, **picks: int) -> None:
    """Pay for a card and announce it, with the effect waiting below the announcement.

    A Veto needs no effect on the agenda because it cancels the card below.
    """
    paid = pay(t, seat, COST[played])
    t.say("plays", seat, t.move(played, at.di[seat], at.announced), paid)
    if effect is not None:
        t.ask(effect, seat, **picks)
    t.ask(announcement, seat, card=played)


def veto_seats(s: Kemet, f: Frame) -> list[int]:
    return [p for p in turn_order_from(s, f.seat)[1:] if could_hold(s, p, "veto")]


def veto_offers(s: Kemet, f: Frame, seat: int) -> list[Offer]:
    return [*each(verbs.veto, holds(s, seat, "veto")), PASS]


def veto(t: T, f: Frame, answers: dict[int, Action]) -> bool | None:
    """Announce the Veto of the first seat in turn order that answered with one.

    The order begins with the player of the announced card. If the Veto is itself cancelled, all players are asked again.
    """
    start = t.s.order.index(f.seat)
    order = [seat for seat in t.s.order[start:] + t.s.order[:start] if seat in answers]
    for seat in [seat for seat in order if answers[seat].verb == "veto"][:1]:
        announce(t, seat, answers[seat].args[0])
        say_of_all(t, "stays_secret", [p for p in order if p != seat])
        return DONE
    say_of_all(t, "lets_pass", order)
    return None


def say_of_all(t: T, what: str, seats: Iterable[int]) -> None:
    for seat in seats:
        t.say(what, seat)


def take_effect(t: T, f: Frame) -> None:
    played = t.move(card(f), at.announced, at.di_discards)
    if ID[card(f)] == "veto":
        cancel(t, f, played)
    else:
        t.say("takes_effect", f.seat, played)


def cancel(t: T, f: Frame, played: FactNumbers) -> None:
    """Cancel the card below and, unless that card is a Veto, its effect."""
    other = card(t.frame_below)
    t.say("cancels", f.seat, t.move(other, at.announced, at.di_discards), played)
    t.drop_frame_below()
    if ID[other] != "veto":
        t.drop_frame_below()


vetoes = Sealed("veto", veto_offers, veto, veto_seats, pass_action=PASSED)
announcement = Script("announcement", vetoes, take_effect, picks=(card,))
