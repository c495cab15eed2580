"""Officials' commands about time: pauses, autopilot, delay and featured tables.

These functions are pure.
"""
from __future__ import annotations

from ludarium.platform.problems import Problem
from ludarium.tournaments.organiser_commands import require_may_rule, require_not_seated
from ludarium.tournaments.plan import DAY
from ludarium.tournaments.player_commands import Events, require_arbiter, require_current, require_host, require_running
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.time_events import ALL, AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded

MOST_FEATURED = 20
MOST_TIME = 7 * DAY
"""Maximum seconds given in one command."""


def require_official(state: TournamentState, by: str) -> None:
    require_arbiter(state, by)
    require_running(state)


def pause(state: TournamentState, by: str, expected: int, text: bytes) -> Events:
    """Pause the whole tournament, even between rounds."""
    require_official(state, by)
    require_current(state, expected, state.times.paused_seq)
    if state.times.paused:
        raise Problem("desk-paused")
    return [Paused(by, *current_round(state), ALL, text)]


def resume(state: TournamentState, by: str, expected: int) -> Events:
    require_official(state, by)
    require_current(state, expected, state.times.paused_seq)
    if not state.times.paused:
        raise Problem("not-paused")
    return [Resumed(by, *current_round(state), ALL)]


def current_round(state: TournamentState) -> tuple[int, int]:
    """Return stage and number of the current round; before the first, the number is 0."""
    return (state.current.stage, state.current.number) if state.current else (1, 0)


def pause_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int, text: bytes) -> Events:
    require_running_board(state, by, round, board, expected)
    if board.paused:
        raise Problem("desk-paused")
    return [Paused(by, round.stage, round.number, board.number, text)]


def resume_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int) -> Events:
    require_running_board(state, by, round, board, expected)
    if not board.paused:
        raise Problem("not-paused")
    return [Resumed(by, round.stage, round.number, board.number)]


def add_time(
    state: TournamentState, by: str, round: RoundState, board: Board, expected: int, entry: int, seconds: int, text: bytes
) -> Events:
    """Give time to an entry at the board.

    Raises:
        Problem: `no-clock` if neither the clock nor the round is limited, `not-seated`, `game-not-started`.
    """
    require_running_board(state, by, round, board, expected)
    if entry not in board.seats:
        raise Problem("not-seated")
    if not board.begun:
        raise Problem("game-not-started")
    if state.plan.tables.policies.clock is None and not board.ends_at:
        raise Problem("no-clock")
    return [TimeAdded(by, round.stage, round.number, board.number, entry, seconds, text)]


def require_running_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int) -> None:
    require_may_rule(state, by, round, board)
    require_current(state, expected, board.seq)
    if board.result is not None:
        raise Problem("game-over")


def feature(state: TournamentState, by: str, round: RoundState, board: Board, expected: int, on: bool) -> Events:
    """Feature a board or end its being featured, in the name of any official."""
    if state.role_of(by) is None:
        raise Problem("not-arbiter")
    require_not_seated(state, by, round, board)
    require_current(state, expected, board.seq)
    if on and not board.featured and sum(other.featured for other in round.boards.values()) >= MOST_FEATURED:
        raise Problem("too-many-featured")
    return [] if board.featured == on else [Featured(by, round.stage, round.number, board.number, on)]


def set_autopilot(state: TournamentState, by: str, expected: int, on: bool, rest: int, settle: int) -> Events:
    """Set the autopilot. If switched off, organisers continue its work by hand."""
    require_host(state, by)
    require_running(state)
    known = state.times.autopilot_settings
    require_current(state, expected, state.times.autopilot_seq)
    same = known and (known.on, known.rest, known.settle) == (on, rest, settle)
    return [] if same or (known is None and not on) else [AutopilotSet(by, on, rest, settle, "")]


def set_delay(state: TournamentState, by: str, expected: int, events: int, seconds: int) -> Events:
    if state.role_of(by) != "broadcaster":
        require_host(state, by)
    require_running(state)
    require_current(state, expected, state.times.delay_seq)
    return [] if state.times.delay == (events, seconds) else [DelaySet(by, events, seconds)]
