"""What the desk does about time: pauses, the autopilot, spectators' delay, tables that are shown first. Pure: a tournament in,
rows out, or a Problem."""
from __future__ import annotations

from ludarium.platform.problems import Problem
from ludarium.tournaments.organiser_commands import may_rule, not_at_own
from ludarium.tournaments.plan import DAY
from ludarium.tournaments.player_commands import Rows, arbiter_only, current, host_only, not_over
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.time_events import ALL, AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded

MOST_FEATURED = 20
MOST_TIME = 7 * DAY
"""Seconds that are given at once."""


def official_only(state: TournamentState, by: str) -> None:
    arbiter_only(state, by)
    not_over(state)


def pause(state: TournamentState, by: str, expected: int, text: bytes) -> Rows:
    """All of it, also between rounds."""
    official_only(state, by)
    current(state, expected, state.times.paused_seq)
    if state.times.paused:
        raise Problem("desk-paused")
    return [Paused(by, *place(state), ALL, text)]


def resume(state: TournamentState, by: str, expected: int) -> Rows:
    official_only(state, by)
    current(state, expected, state.times.paused_seq)
    if not state.times.paused:
        raise Problem("not-paused")
    return [Resumed(by, *place(state), ALL)]


def place(state: TournamentState) -> tuple[int, int]:
    """The stage and the round that there is; 0 before the first."""
    return (state.current.stage, state.current.number) if state.current else (1, 0)


def pause_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int, text: bytes) -> Rows:
    at_board(state, by, round, board, expected)
    if board.paused:
        raise Problem("desk-paused")
    return [Paused(by, round.stage, round.number, board.number, text)]


def resume_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int) -> Rows:
    at_board(state, by, round, board, expected)
    if not board.paused:
        raise Problem("not-paused")
    return [Resumed(by, round.stage, round.number, board.number)]


def add_time(
    state: TournamentState, by: str, round: RoundState, board: Board, expected: int, entry: int, seconds: int, text: bytes
) -> Rows:
    """To one of those who play there; it is of no use where nobody's time ever ends."""
    at_board(state, by, round, board, expected)
    if entry not in board.seats:
        raise Problem("not-seated")
    if not board.begun:
        raise Problem("game-not-started")
    if state.plan.tables.policies.clock is None and not board.ends_at:
        raise Problem("no-clock")
    return [TimeAdded(by, round.stage, round.number, board.number, entry, seconds, text)]


def at_board(state: TournamentState, by: str, round: RoundState, board: Board, expected: int) -> None:
    may_rule(state, by, round, board)
    current(state, expected, board.seq)
    if board.result is not None:
        raise Problem("game-over")


def feature(state: TournamentState, by: str, round: RoundState, board: Board, expected: int, on: bool) -> Rows:
    """By any official."""
    if state.role_of(by) is None:
        raise Problem("not-arbiter")
    not_at_own(state, by, round, board)
    current(state, expected, board.seq)
    if on and not board.featured and sum(other.featured for other in round.boards.values()) >= MOST_FEATURED:
        raise Problem("too-many-featured")
    return [] if board.featured == on else [Featured(by, round.stage, round.number, board.number, on)]


def set_autopilot(state: TournamentState, by: str, expected: int, on: bool, rest: int, settle: int) -> Rows:
    """Off at any time: what it has begun is gone on with by hand."""
    host_only(state, by)
    not_over(state)
    times = state.times
    current(state, expected, times.piloted_seq)
    wanted = AutopilotSet(by, on, rest, settle, "")
    same = times.piloted and (times.piloted.on, times.piloted.rest, times.piloted.settle) == (on, rest, settle)
    return [] if same or (times.piloted is None and not on) else [wanted]


def set_delay(state: TournamentState, by: str, expected: int, events: int, seconds: int) -> Rows:
    if state.role_of(by) != "broadcaster":
        host_only(state, by)
    not_over(state)
    current(state, expected, state.times.delay_seq)
    return [] if state.times.delay == (events, seconds) else [DelaySet(by, events, seconds)]
