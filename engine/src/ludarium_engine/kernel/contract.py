"""The contract of all titles: what services, bots and tools may ask of a game."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ludarium_engine.kernel.agenda import answer, go_on, splice
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import Action, Illegal, Offer, RulesError
from ludarium_engine.kernel.decoding import converter, msgpack_decoder
from ludarium_engine.kernel.facts import Event, Preferred, copy_for, evolve
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Ask, Sealed, may_pass, windows
from ludarium_engine.kernel.slots import SPECTATOR, Frame, S, State
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.title import O, Title

NEW = Action("new")
PREFER = "prefer"                               # the verb of a preference; no offer has it
encode = msgspec.msgpack.Encoder().encode


def checked_options(title: Title[S, O], raw: Mapping[str, Any], seats: int) -> O:
    """Typed options that fit the number of seats. Raises Illegal with what is wrong."""
    if seats not in title.seats:
        raise Illegal(f"seats: {title.id} is for {title.seats.start} to {title.seats.stop - 1}")
    try:
        options = converter(title.options)(raw)
    except msgspec.ValidationError as error:
        raise Illegal(f"options: {error}") from error
    title.check(options, seats)
    return options


def new(title: Title[S, O], options: O, seats: int, chance: Chance) -> tuple[S, Event]:
    """The game after its setup, and the event that says how it was set up."""
    t = Table(title, title.blank(options, seats), chance)
    title.setup(t)
    go_on(t)
    return t.s, Event(SPECTATOR, NEW, t.facts + splice([], t.s.agenda))


def seats_to_act(s: State) -> tuple[int, ...]:
    """The seats that owe an answer now; none when the game is over."""
    return s.agenda[-1].asked if s.agenda else ()


def is_asked(s: State, seat: int) -> bool:
    """Whether it owes an answer, or has sealed one, which it may replace until the last one comes."""
    f = s.agenda[-1] if s.agenda else None
    return f is not None and (seat in f.asked or any(seat == p for p, _ in f.sealed))


def asking_row(title: Title[S, Any], f: Frame) -> Ask[S] | Sealed[S]:
    """The row of a frame that waits for answers."""
    return title.scripts[f.script].rows[f.row]  # type: ignore[return-value]


def legal(title: Title[S, Any], s: S, seat: int) -> list[Offer]:
    """What the seat is offered; nothing if it is not asked."""
    return asking_row(title, s.agenda[-1]).options(s, s.agenda[-1], seat) if is_asked(s, seat) else []


def decide(
    title: Title[S, Any], s: S, seat: int, action: Action, chance: Chance, *,
    offers: Sequence[Offer] | None = None, twin: S | None = None,
) -> tuple[S, Event]:  # fmt: skip
    """The state after the command, a copy, and the event that says how it came about. Raises Illegal, RulesError.

    offers: what the seat is offered, where that is known. twin: an equal state that nobody else needs: it becomes the copy.
    """
    offers = legal(title, s, seat) if offers is None else offers
    if Offer(action.verb, action.args) not in offers and not any(offer.allows(action) for offer in offers):
        raise Illegal(action)
    after = twin if twin is not None and twin == s else clone(s)
    event = act(title, after, seat, action, chance, checked=True)
    if evolve(copy_for(event, title.layout, s), event) != after:
        raise RulesError(f"{title.id}: a rule has written to the state other than by a verb, at {action}")
    return after, event


def act(title: Title[S, Any], s: S, seat: int, action: Action, chance: Chance, *, checked: bool = False) -> Event:
    """In place, and unchecked: for simulations."""
    before = s.agenda[:]
    t = Table(title, s, chance, checked=checked)
    answer(t, seat, action)
    go_on(t)
    return Event(seat, action, t.facts + splice(before, s.agenda))


def prefer(title: Title[S, Any], s: S, seat: int, window: str, on: bool) -> tuple[S, Event]:
    """The seat always passes a window from now on, or no longer; Illegal if nothing can be passed by that name."""
    if seat not in range(s.seats) or not any(window in may_pass(title, name) for name in windows(title)):
        raise Illegal(window)
    event = Event(seat, Action(PREFER), [Preferred(seat, window, on)])
    return evolve(clone(s), event), event


def view(title: Title[S, Any], s: S, audience: int, layout: Layout | None = None) -> S:
    """The state as a seat or the spectators may see it; layout: where that is not the title's own."""
    return (layout or title.layout).view(s, audience, title.veiled(s, audience))


def clone(s: S) -> S:
    return msgpack_decoder(type(s))(encode(s))
