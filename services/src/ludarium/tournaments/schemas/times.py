"""Schemas of a tournament's pauses, autopilot, delay and featured tables."""
from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.tournaments.autopilot import StepName, next_step
from ludarium.tournaments.player_commands import check_in_opens
from ludarium.tournaments.schemas.entries import TextsById, reason_of
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant
from ludarium.tournaments.time_events import Paused


class PauseBody(msgspec.Struct, frozen=True):
    """A pause by an official, with its reason. `since` is in RFC 3339."""

    by: str
    since: str
    reason: str


class AutopilotBody(msgspec.Struct, frozen=True):
    """The current settings of the autopilot.

    `why` is the problem that has stopped it. `next` is its next step and `next_at` the time of that step, if they are
    known.
    """

    on: bool
    rest: int
    settle: int
    why: str
    next: StepName | None
    next_at: str | None


class DelayBody(msgspec.Struct, frozen=True):
    """A delay for spectators, in events and in seconds; the longer one applies."""

    events: int
    seconds: int


class FeaturedBody(msgspec.Struct, frozen=True):
    """A featured board and its table."""

    board: int
    table: str


def time_of(microseconds: int) -> str:
    return datetime.fromtimestamp(microseconds / 1_000_000, UTC).isoformat()


def end_of(board: Board) -> str | None:
    return time_of(board.ends_at) if board.ends_at else None


def pause_body(paused: Paused | None, since: int, reasons: TextsById) -> PauseBody | None:
    return PauseBody(paused.by, time_of(since), reason_of(reasons, paused.text)) if paused else None


def autopilot_body(state: TournamentState) -> AutopilotBody | None:
    pilot, step = state.times.autopilot_settings, next_step(state)
    if pilot is None:
        return None
    what, at = (step.what, time_of(step.at)) if step else (None, None)
    return AutopilotBody(pilot.on, pilot.rest, pilot.settle, pilot.why, what, at)


def featured_of(state: TournamentState, unopened: Collection[UUID] = ()) -> list[FeaturedBody]:
    """Return the featured boards that can be watched already."""
    round = state.current
    boards = round.boards.values() if round and not round.closed else ()
    shown = [board for board in boards if board.featured and board.seats and board.table not in unopened]
    return [FeaturedBody(board.number, ids.encode(board.table)) for board in shown]


def check_in_of(state: TournamentState, entrant: Entrant) -> str | None:
    opens = check_in_opens(state)
    waits = not entrant.checked_in and entrant.left is None and not state.begun and not state.is_over
    return None if opens is None or not waits else time_of(opens)


