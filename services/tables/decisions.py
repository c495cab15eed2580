"""What each change of a table asks for, and the rows that it makes. Pure: a table in, rows out, or a Problem."""
from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Literal, TypeVar
from uuid import UUID

from engine.bots import bots
from engine.kernel import SPECTATOR, Event, Illegal, RulesError, State, TooManySteps, new
from engine.kernel import decide as decided
from engine.kernel.contract import is_asked
from engine.kernel.contract import prefer as preferred
from engine.kernel.describe import action_of
from services import ids
from services.problems import Problem
from services.tables import budget, documents
from services.tables.bodies import ActionBody, Command, NewTable, Preference, SpectatorDelay
from services.tables.history import History, option_data
from services.tables.rows import (
    Acted,
    AnyRow,
    GameEnded,
    GameStarted,
    Left,
    RulesChanged,
    Seated,
    SeedsRevealed,
    Undone,
    order_of,
)

log = logging.getLogger(__name__)
T = TypeVar("T")


# --- who may see and do what ------------------------------------------------------------------------------------------
def seat_of(history: History, player: str) -> int:
    seat = own_seat(history, player)
    if seat is None:
        raise Problem("not-seated")
    return seat


def own_seat(history: History, player: str | None) -> int | None:
    return next((i for i, s in enumerate(history.seats) if s and s.player == player is not None), None)


def may_find(history: History, player: str | None) -> None:
    """Raises Problem `not-found` where the table is none of the player's business."""
    if not may_know(history, player):
        raise Problem("not-found")


def audience(history: History, player: str | None, as_: int | None) -> int:
    """As whom the player sees the table; as_ None: own seat, else spectator. When all is revealed, as anybody.

    Until then only its own seats see a table of a shared deal: others may be about to play the same boards.
    """
    may_find(history, player)
    own = own_seat(history, player)
    if own is None and history.opened.deal.stream and not history.is_open_to_all:
        raise Problem("deal-running")
    if as_ is None:
        return SPECTATOR if own is None else own
    if as_ not in range(SPECTATOR, history.opened.seats):
        raise Problem("no-such-seat")
    if as_ not in (SPECTATOR, own) and not history.is_open_to_all:
        raise Problem("forbidden")
    return as_


def may_know(history: History, player: str | None) -> bool:
    """Whether the table is there for them; a private one is for who sits at it and who opened it."""
    insider = player == history.opened.creator or own_seat(history, player) is not None
    return history.opened.visibility == "public" or insider


def discreet(history: History, player: str, decide: Callable[[History], T]) -> T:
    """What is decided. A refusal does not tell that the table is there: knowing its id, one may sit down and no more."""
    try:
        return decide(history)
    except Problem as refusal:
        if may_know(history, player):
            raise
        raise Problem("not-found") from refusal


def creator_only(history: History, player: str) -> None:
    if player != history.opened.creator:
        raise Problem("forbidden")


# --- before the game --------------------------------------------------------------------------------------------------
def sit(history: History, player: str, seat: int | None, nonce: bytes) -> list[AnyRow]:
    if own_seat(history, player) is not None:
        raise Problem("already-seated")
    return [Seated(free_seat(history, seat), player, None, nonce)]


def add_bot(history: History, player: str, bot: str, seat: int | None) -> list[AnyRow]:
    creator_only(history, player)
    if bot not in bots(history.title):
        raise Problem("unknown-bot")
    return [Seated(free_seat(history, seat), None, bot)]


def free_seat(history: History, wanted: int | None) -> int:
    still_open(history)
    free = [i for i, seated in enumerate(history.seats) if seated is None]
    if wanted is not None and wanted not in range(history.opened.seats):
        raise Problem("no-such-seat")
    if not free or (wanted is not None and wanted not in free):
        raise Problem("seat-taken")
    return free[0] if wanted is None else wanted


def leave(history: History, player: str, seat: int) -> list[AnyRow]:
    """One's own seat; whoever opened the table may also clear another one."""
    still_open(history)
    if seat not in range(history.opened.seats) or history.seats[seat] is None:
        raise Problem("no-such-seat")
    if seat != own_seat(history, player):
        creator_only(history, player)
    return [Left(seat)]


def start(history: History, player: str) -> list[AnyRow]:
    creator_only(history, player)
    still_open(history)
    if None in history.seats:
        raise Problem("seats-empty")
    return ruled(history, lambda: started(history))


def started(history: History) -> list[AnyRow]:
    title = history.title
    state, event = new(title, history.options, history.opened.seats, history.chance)
    budget.check(title, state, event)
    data, layout, zones = documents.of_game(title, title.blank(history.options, history.opened.seats))
    return [GameStarted(title.version, data, layout, zones, history.mixed_in, event.facts)]


def still_open(history: History) -> None:
    if history.status != "open":
        raise Problem("table-not-open")


# --- the game ---------------------------------------------------------------------------------------------------------
def act(history: History, player: str, command: Command) -> list[AnyRow]:
    return act_as(history, seat_of(history, player), command.action)


def act_as(history: History, seat: int, action: ActionBody) -> list[AnyRow]:
    """A seat's answer to what it is asked."""
    if not is_asked(playing(history), seat):
        raise Problem("not-asked")
    return ruled(history, lambda: acted(history, seat, action))


def acted(history: History, seat: int, action: ActionBody) -> list[AnyRow]:
    sent = action_of(action.id, action.subset)
    after, event = decided(history.title, playing(history), seat, sent, history.chance)
    budget.check(history.title, after, event)
    return rows_of(history, after, event)


def ruled(history: History, work: Callable[[], T]) -> T:
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


def rows_of(history: History, after: State, event: Event) -> list[AnyRow]:
    """The command; after it the end of the game, if it came."""
    rows = [*renewed(history), Acted(event.seat, event.action, event.facts)]
    if after.outcome is not None:
        rows += ended(history, "finished", after.outcome)
    return rows


def renewed(history: History) -> list[AnyRow]:
    """Comes before whatever today's rules make, where the game was under earlier ones, or its data cannot be had."""
    title = history.title
    if history.data == title.data_hash and order_of(title.version) <= order_of(history.rules):
        return []
    return [RulesChanged(title.version, *documents.of_rules(title))]


def voided(history: History) -> list[AnyRow]:
    """Ends the table without a result, if it has not ended."""
    return [] if history.ended else ended(history, "voided", None)


def revealed(history: History) -> list[AnyRow]:
    """Of a table that has ended: the seeds, once."""
    return [] if history.revealed or not history.ended else [SeedsRevealed(*history.secret.seeds)]


def ended(history: History, reason: Literal["finished", "voided"], outcome: list[int] | None) -> list[AnyRow]:
    """The end of the table; the seeds with it, unless other tables play the same deal."""
    rows: list[AnyRow] = [GameEnded(reason, outcome)]
    return rows if history.opened.deal.stream else [*rows, SeedsRevealed(*history.secret.seeds)]


def prefer(history: History, player: str, preference: Preference) -> list[AnyRow]:
    seat = seat_of(history, player)
    if preference.seat != seat:
        raise Problem("forbidden")
    try:
        _, event = preferred(history.title, playing(history), seat, preference.window, preference.on)
    except Illegal as error:
        raise Problem("action-not-offered") from error
    return [*renewed(history), Acted(event.seat, event.action, event.facts)]


def undo(history: History, player: str) -> list[AnyRow]:
    """Takes back the seat's latest command."""
    seat = seat_of(history, player)
    playing(history)
    if not history.undoable or history.undoable[-1][1] != seat:
        raise Problem("undo-refused")
    version, _ = history.undoable[-1]
    return [Undone(seat, version - 1)]


def playing(history: History) -> State:
    if history.ended is not None:
        raise Problem("game-over")
    if history.state is None:
        raise Problem("game-not-started")
    return history.playing


# --- after the game ---------------------------------------------------------------------------------------------------
def rematch(history: History, player: str) -> tuple[NewTable, list[Seated]]:
    """The next table: the ruleset says what changes (in Kingdoms the loser deals), and everybody keeps their seat."""
    seat_of(history, player)
    if history.status != "over":
        raise Problem("game-not-over")
    opened = history.opened
    options: dict[str, Any] = option_data(ruled(history, lambda: history.title.rematch(history.playing)))
    delay = SpectatorDelay(history.delay.events, history.delay.seconds) if history.delay else None
    wanted = NewTable(opened.ruleset, opened.seats, options, opened.visibility, opened.undo, delay)
    return wanted, [Seated(s.seat, s.player, s.bot) for s in history.seats if s]


def next_table(history: History) -> UUID:
    """The id of the one rematch that a finished table has. Its seeds do not tell, which everybody knows by then."""
    return ids.derived_id(ids.time_of(history.stream), history.secret.root, b"rematch")
