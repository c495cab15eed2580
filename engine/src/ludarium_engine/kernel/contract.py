"""The engine's interface, with functions to play a game of any title."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ludarium_engine.kernel.agenda import agenda_change, apply_answer, run_agenda
from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.choices import Action, Illegal, Offer, RulesError
from ludarium_engine.kernel.decoding import converter, msgpack_decoder
from ludarium_engine.kernel.facts import Event, Preferred, copy_to_evolve, evolve
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Ask, Sealed, all_pass_names, windows
from ludarium_engine.kernel.slots import SPECTATOR, Frame, S, State
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.title import O, Title

NEW = Action("new")
PREFER = "prefer"                               # the verb of an action that sets a preference; no offer has it
encode = msgspec.msgpack.Encoder().encode


def checked_options(title: Title[S, O], raw: Mapping[str, Any], seats: int) -> O:
    """Convert options to the title's type and check them with the number of seats.

    Raises:
        Illegal: the options or the number of seats are not allowed; the message says why.
    """
    if seats not in title.seats:
        raise Illegal(f"seats: {title.id} is for {title.seats.start} to {title.seats.stop - 1}")
    try:
        options = converter(title.options)(raw)
    except msgspec.ValidationError as error:
        raise Illegal(f"options: {error}") from error
    title.check_options(options, seats)
    return options


def new_game(title: Title[S, O], options: O, seats: int, chance: Chance) -> tuple[S, Event]:
    """Set up a game; return its state and the event of the set-up."""
    t = Table(title, title.blank(options, seats), chance)
    title.setup(t)
    run_agenda(t)
    return t.s, Event(SPECTATOR, NEW, t.facts + agenda_change([], t.s.agenda))


def seats_to_act(s: State) -> tuple[int, ...]:
    """Return the seats that have to answer; empty once the game is over."""
    return s.agenda[-1].asked if s.agenda else ()


def is_asked(s: State, seat: int) -> bool:
    """Return whether the seat may answer now.

    A seat that has sealed an answer may still replace it, until the last seat has answered.
    """
    f = s.agenda[-1] if s.agenda else None
    return f is not None and (seat in f.asked or any(seat == p for p, _ in f.sealed))


def asking_row(title: Title[S, Any], f: Frame) -> Ask[S] | Sealed[S]:
    """Return the current row of a frame that waits for answers."""
    return title.scripts[f.script].rows[f.row]  # type: ignore[return-value]


def legal_offers(title: Title[S, Any], s: S, seat: int) -> list[Offer]:
    """Return what a seat may do now; empty if the seat is not asked."""
    return asking_row(title, s.agenda[-1]).offers(s, s.agenda[-1], seat) if is_asked(s, seat) else []


def decide(
    title: Title[S, Any], s: S, seat: int, action: Action, chance: Chance, *,
    offers: Sequence[Offer] | None = None, spare: S | None = None,
) -> tuple[S, Event]:  # fmt: skip
    """Decide a command of a seat; return the new state and the event.

    The given state stays unchanged.

    Args:
        title: the title of the game.
        s: the current state.
        seat: the seat that acts.
        action: its action.
        chance: the random numbers of the table.
        offers: the offers of the seat, if the caller knows them.
        spare: an equal state that the caller no longer needs; it is changed in place, which saves a copy.

    Raises:
        Illegal: the action is not among the offers of the seat.
        RulesError: a rule broke the kernel's contract.
    """
    offers = legal_offers(title, s, seat) if offers is None else offers
    if Offer(action.verb, action.args) not in offers and not any(offer.allows(action) for offer in offers):
        raise Illegal(action)
    after = spare if spare is not None and spare == s else clone(s)
    event = act_in_place(title, after, seat, action, chance, checked=True)
    if evolve(copy_to_evolve(event, title.layout, s), event) != after:
        raise RulesError(f"{title.id}: a rule has written to the state other than by a verb, at {action}")
    return after, event


def act_in_place(title: Title[S, Any], s: S, seat: int, action: Action, chance: Chance, *, checked: bool = False) -> Event:
    """Apply an action in place, without checking that it is legal; for simulations.

    Args:
        title: the title of the game.
        s: the state to change.
        seat: the seat that acts.
        action: its action.
        chance: the random numbers of the table.
        checked: whether to check that each fact fits the state.
    """
    before = s.agenda[:]
    t = Table(title, s, chance, checked=checked)
    apply_answer(t, seat, action)
    run_agenda(t)
    return Event(seat, action, t.facts + agenda_change(before, s.agenda))


def set_preference(title: Title[S, Any], s: S, seat: int, window: str, on: bool) -> tuple[S, Event]:
    """Set whether a seat always passes a window; return the new state and the event.

    Raises:
        Illegal: there is no such seat, or no window has this name.
    """
    if seat not in range(s.seats) or not any(window in all_pass_names(title, name) for name in windows(title)):
        raise Illegal(window)
    event = Event(seat, Action(PREFER), [Preferred(seat, window, on)])
    return evolve(clone(s), event), event


def view(title: Title[S, Any], s: S, audience: int, layout: Layout | None = None) -> S:
    """Return the state as a seat or the spectators may see it.

    Args:
        title: the title of the game.
        s: the state.
        audience: a seat, or SPECTATOR.
        layout: the layout by which the state is masked; by default the title's own.
    """
    return (layout or title.layout).view(s, audience, title.veiled(s, audience))


def clone(s: S) -> S:
    """Return a deep copy of the state."""
    return msgpack_decoder(type(s))(encode(s))
