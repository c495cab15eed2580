"""Decide commands: pure functions that return events or raise a Problem."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.model import budget, documents
from ludarium.tables.model.access import require_seat
from ludarium.tables.model.endings import check_in_game, end_table, places, require_game, stand_in
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Acted, GameStarted, RulesChanged, Seated, Undone, order_of
from ludarium.tables.model.lifecycle_events import Returned
from ludarium.tables.model.table_state import DecidedCommand, TableState
from ludarium.tables.schemas import ActionBody, Command, Preference
from ludarium_engine.kernel import Action, Event, Illegal, RulesError, State, TooManySteps, new_game
from ludarium_engine.kernel import decide as decided
from ludarium_engine.kernel.contract import is_asked
from ludarium_engine.kernel.contract import set_preference as preferred
from ludarium_engine.kernel.describe import action_of

log = logging.getLogger(__name__)
T = TypeVar("T")


# --- the game ---------------------------------------------------------------------------------------------------------
def start_game(table: TableState, seated: Sequence[Seated]) -> list[AnyEvent]:
    title, nonces = table.title, table.mixed(seated)
    state, event = new_game(title, table.options, table.opened.seats, table.chance_with(nonces))
    budget.check(title, state, event)
    data, layout, zones = documents.of_game(title, title.blank(table.options, table.opened.seats))
    return [GameStarted(title.version, data, layout, zones, nonces, event.facts)]


def act(table: TableState, player: str, command: Command) -> list[AnyEvent]:
    """Apply a player's action. A player who was absent thereby returns."""
    seat = require_seat(table, player)
    check_may_act(table, seat)
    back: list[AnyEvent] = [Returned(seat)] if seat in table.lifecycle.away else []
    return [*back, *act_for_seat(table, seat, command.action)]


def stand_in_act(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    """Apply an action for a bot's seat, or for a seat played by a stand-in."""
    require_game(table)
    if stand_in(table, seat) is None:
        raise Problem("not-asked")
    return act_for_seat(table, seat, action)


def check_may_act(table: TableState, seat: int) -> None:
    """Raise a Problem if the seat cannot act now, whatever it is asked."""
    require_game(table)
    check_in_game(table, seat)
    if table.lifecycle.paused:
        raise Problem("game-paused")


def act_for_seat(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    """Apply an action to the question that the seat is asked."""
    if not is_asked(require_game(table), seat):
        raise Problem("not-asked")
    return run_rules(table, lambda: act_on_offer(table, seat, action))


def act_on_offer(table: TableState, seat: int, action: ActionBody) -> list[AnyEvent]:
    return apply_answer(table, seat, action_of(action.id, action.subset))


def apply_answer(table: TableState, seat: int, action: Action) -> list[AnyEvent]:
    """Run the rules, and keep their result in the table until the event is appended."""
    after, event = decided(
        table.title, require_game(table), seat, action, table.chance, offers=table.offers(seat), spare=table.take_spare_state()
    )
    table.decided = DecidedCommand(event.facts, after, budget.check(table.title, after, event))
    return command_events(table, after, event)


def run_rules(table: TableState, work: Callable[[], T]) -> T:
    """Run the rules within their limits, and return their result.

    If the rules fail, the table does not change.

    Raises:
        Problem: `action-not-offered`, `rules-limit`, `internal`.
    """
    try:
        return budget.within_budget(work)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    except (budget.Runaway, TooManySteps) as error:
        log.error("table %s, version %s: the rules run away: %s", table.id, table.version, error)
        raise Problem("rules-limit") from error
    except RulesError as error:
        log.exception("table %s, version %s: the rules fail", table.id, table.version)
        raise Problem("internal") from error


def command_events(table: TableState, after: State, event: Event) -> list[AnyEvent]:
    """Return the command's event and, if the game is over, the events of its end."""
    events = [*rules_update(table), Acted(event.seat, event.action, event.facts)]
    if after.outcome is not None:
        events += end_table(table, "finished", places(table, after))
    return events


def rules_update(table: TableState) -> list[AnyEvent]:
    """Return an event for a change of rules or data, if the game began with others.

    This event precedes the first event that the current rules make.
    """
    title = table.title
    if table.data == title.data_hash and order_of(title.version) <= order_of(table.rules):
        return []
    return [RulesChanged(title.version, *documents.of_rules(title))]


def prefer(table: TableState, player: str, preference: Preference) -> list[AnyEvent]:
    seat = require_seat(table, player)
    if preference.seat != seat:
        raise Problem("forbidden")
    try:
        _, event = preferred(table.title, require_game(table), seat, preference.window, preference.on)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    return [*rules_update(table), Acted(event.seat, event.action, event.facts)]


def undo(table: TableState, player: str) -> list[AnyEvent]:
    """Undo the seat's latest command."""
    seat = require_seat(table, player)
    check_may_act(table, seat)
    if not table.undoable or table.undoable[-1][1] != seat:
        raise Problem("undo-refused", cause=table.not_undoable(seat))
    version, _ = table.undoable[-1]
    return [Undone(seat, version - 1)]
