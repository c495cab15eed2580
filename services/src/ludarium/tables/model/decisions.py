"""What each change of a table asks for, and the rows that it makes: a table in, rows out, or a Problem."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.model import budget, documents
from ludarium.tables.model.access import seat_of
from ludarium.tables.model.endings import ended, places, playing, stand_in, still_in
from ludarium.tables.model.event_types import AnyRow
from ludarium.tables.model.events import Acted, GameStarted, Returned, RulesChanged, Seated, Undone, order_of
from ludarium.tables.model.table_state import Ahead, TableState
from ludarium.tables.schemas import ActionBody, Command, Preference
from ludarium_engine.kernel import Action, Event, Illegal, RulesError, State, TooManySteps, new
from ludarium_engine.kernel import decide as decided
from ludarium_engine.kernel.contract import is_asked
from ludarium_engine.kernel.contract import prefer as preferred
from ludarium_engine.kernel.describe import action_of

log = logging.getLogger(__name__)
T = TypeVar("T")


# --- the game ---------------------------------------------------------------------------------------------------------
def started(history: TableState, seated: Sequence[Seated]) -> list[AnyRow]:
    title, nonces = history.title, history.mixed(seated)
    state, event = new(title, history.options, history.opened.seats, history.chance_with(nonces))
    budget.check(title, state, event)
    data, layout, zones = documents.of_game(title, title.blank(history.options, history.opened.seats))
    return [GameStarted(title.version, data, layout, zones, nonces, event.facts)]


def act(history: TableState, player: str, command: Command) -> list[AnyRow]:
    """Who was away is there again."""
    seat = seat_of(history, player)
    going(history, seat)
    back: list[AnyRow] = [Returned(seat)] if seat in history.life.away else []
    return [*back, *act_as(history, seat, command.action)]


def act_instead(history: TableState, seat: int, action: ActionBody) -> list[AnyRow]:
    """The answer of a bot that plays the seat, or stands in for who does."""
    playing(history)
    if stand_in(history, seat) is None:
        raise Problem("not-asked")
    return act_as(history, seat, action)


def going(history: TableState, seat: int) -> None:
    """Raises Problem if this seat cannot act, whatever it is asked."""
    playing(history)
    still_in(history, seat)
    if history.life.paused:
        raise Problem("game-paused")


def act_as(history: TableState, seat: int, action: ActionBody) -> list[AnyRow]:
    """A seat's answer to what it is asked."""
    if not is_asked(playing(history), seat):
        raise Problem("not-asked")
    return ruled(history, lambda: acted(history, seat, action))


def acted(history: TableState, seat: int, action: ActionBody) -> list[AnyRow]:
    return answered(history, seat, action_of(action.id, action.subset))


def answered(history: TableState, seat: int, action: Action) -> list[AnyRow]:
    """What the rules make of it; the history keeps it for when the row has been appended."""
    after, event = decided(
        history.title, playing(history), seat, action, history.chance, offers=history.offers(seat), twin=history.take_twin()
    )
    history.ahead = Ahead(event.facts, after, budget.check(history.title, after, event))
    return rows_of(history, after, event)


def ruled(history: TableState, work: Callable[[], T]) -> T:
    """What the rules make. Raises Problem `action-not-offered`, or that of rules that fail, which changes nothing."""
    try:
        return budget.bounded(work)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    except (budget.RanAway, TooManySteps) as error:
        log.error("table %s, version %s: the rules run away: %s", history.id, history.version, error)
        raise Problem("rules-limit") from error
    except RulesError as error:
        log.exception("table %s, version %s: the rules fail", history.id, history.version)
        raise Problem("internal") from error


def rows_of(history: TableState, after: State, event: Event) -> list[AnyRow]:
    """The command; after it the end of the game, if it came."""
    rows = [*renewed(history), Acted(event.seat, event.action, event.facts)]
    if after.outcome is not None:
        rows += ended(history, "finished", places(history, after))
    return rows


def renewed(history: TableState) -> list[AnyRow]:
    """Comes before whatever today's rules make, where the game was under earlier ones, or its data cannot be had."""
    title = history.title
    if history.data == title.data_hash and order_of(title.version) <= order_of(history.rules):
        return []
    return [RulesChanged(title.version, *documents.of_rules(title))]


def prefer(history: TableState, player: str, preference: Preference) -> list[AnyRow]:
    seat = seat_of(history, player)
    if preference.seat != seat:
        raise Problem("forbidden")
    try:
        _, event = preferred(history.title, playing(history), seat, preference.window, preference.on)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    return [*renewed(history), Acted(event.seat, event.action, event.facts)]


def undo(history: TableState, player: str) -> list[AnyRow]:
    """Takes back the seat's latest command."""
    seat = seat_of(history, player)
    going(history, seat)
    if not history.undoable or history.undoable[-1][1] != seat:
        raise Problem("undo-refused", cause=history.not_undoable(seat))
    version, _ = history.undoable[-1]
    return [Undone(seat, version - 1)]
