"""What each change of a table asks for, and the events that it makes: a table in, events out, or a Problem."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.model import budget, documents
from ludarium.tables.model.access import seat_of
from ludarium.tables.model.endings import ended, places, playing, stand_in, still_in
from ludarium.tables.model.event_types import AnyEvent
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
def started(table: TableState, seated: Sequence[Seated]) -> list[AnyEvent]:
    title, nonces = table.title, table.mixed(seated)
    state, event = new(title, table.options, table.opened.seats, table.chance_with(nonces))
    budget.check(title, state, event)
    data, layout, zones = documents.of_game(title, title.blank(table.options, table.opened.seats))
    return [GameStarted(title.version, data, layout, zones, nonces, event.facts)]


def act(table: TableState, player: str, command: Command) -> list[AnyEvent]:
    """Who was away is there again."""
    seat = seat_of(table, player)
    going(table, seat)
    back: list[AnyEvent] = [Returned(seat)] if seat in table.life.away else []
    return [*back, *act_as(table, seat, command.action)]


def act_instead(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    """The answer of a bot that plays the seat, or stands in for who does."""
    playing(table)
    if stand_in(table, seat) is None:
        raise Problem("not-asked")
    return act_as(table, seat, action)


def going(table: TableState, seat: int) -> None:
    """Raises Problem if this seat cannot act, whatever it is asked."""
    playing(table)
    still_in(table, seat)
    if table.life.paused:
        raise Problem("game-paused")


def act_as(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    """A seat's answer to what it is asked."""
    if not is_asked(playing(table), seat):
        raise Problem("not-asked")
    return ruled(table, lambda: acted(table, seat, action))


def acted(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    return answered(table, seat, action_of(action.id, action.subset))


def answered(table: TableState, seat: int, action: Action) -> list[AnyEvent]:
    """What the rules make of it; the table keeps it until the event is appended."""
    after, event = decided(
        table.title, playing(table), seat, action, table.chance, offers=table.offers(seat), twin=table.take_twin()
    )
    table.ahead = Ahead(event.facts, after, budget.check(table.title, after, event))
    return events_of(table, after, event)


def ruled(table: TableState, work: Callable[[], T]) -> T:
    """What the rules make. Raises Problem `action-not-offered`, or that of rules that fail, which changes nothing."""
    try:
        return budget.bounded(work)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    except (budget.RanAway, TooManySteps) as error:
        log.error("table %s, version %s: the rules run away: %s", table.id, table.version, error)
        raise Problem("rules-limit") from error
    except RulesError as error:
        log.exception("table %s, version %s: the rules fail", table.id, table.version)
        raise Problem("internal") from error


def events_of(table: TableState, after: State, event: Event) -> list[AnyEvent]:
    """The command; after it the end of the game, if it came."""
    events = [*renewed(table), Acted(event.seat, event.action, event.facts)]
    if after.outcome is not None:
        events += ended(table, "finished", places(table, after))
    return events


def renewed(table: TableState) -> list[AnyEvent]:
    """Comes before whatever today's rules make, where the game was under earlier ones, or its data cannot be had."""
    title = table.title
    if table.data == title.data_hash and order_of(title.version) <= order_of(table.rules):
        return []
    return [RulesChanged(title.version, *documents.of_rules(title))]


def prefer(table: TableState, player: str, preference: Preference) -> list[AnyEvent]:
    seat = seat_of(table, player)
    if preference.seat != seat:
        raise Problem("forbidden")
    try:
        _, event = preferred(table.title, playing(table), seat, preference.window, preference.on)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    return [*renewed(table), Acted(event.seat, event.action, event.facts)]


def undo(table: TableState, player: str) -> list[AnyEvent]:
    """Takes back the seat's latest command."""
    seat = seat_of(table, player)
    going(table, seat)
    if not table.undoable or table.undoable[-1][1] != seat:
        raise Problem("undo-refused", cause=table.not_undoable(seat))
    version, _ = table.undoable[-1]
    return [Undone(seat, version - 1)]
