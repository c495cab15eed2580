"""Organisers' commands about rounds and tables, as pure functions."""
from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from datetime import datetime, timedelta
from typing import TypeVar

from ludarium.platform.problems import Problem
from ludarium.tables.model.endings import are_places
from ludarium.tables.model.hash_chain import commitment, microseconds
from ludarium.tournaments.derived import advancing_entries, compute_pairing, is_last, numbers, pair_recut, pairing_input_at
from ludarium.tournaments.draft_events import DraftChange, DraftChanged, seal_change
from ludarium.tournaments.events import (
    Disputed,
    Drafted,
    Published,
    Recut,
    RoundClosed,
    Ruled,
    Verdict,
)
from ludarium.tournaments.groups import stage_settings
from ludarium.tournaments.player_commands import (
    Events,
    entry_of,
    require_arbiter,
    require_current,
    require_host,
    require_running,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState
from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Pairing

ELIMINATIONS = ("single-elimination", "double-elimination", "pods", "lives")
"""Formats that end when a winner is left."""
T = TypeVar("T")
DISPUTED_WITHIN = 15 * 60 * 1_000_000
"""Microseconds after the end of a game in which its result can be disputed."""


# --- drafts -----------------------------------------------------------------------------------------------------------
def draft(state: TournamentState, by: str, stage: int, expected: int) -> Events:
    """Draft the next round.

    The event commits to the seeds of pairing and deals before the pairing is known.
    """
    require_host(state, by)
    require_running(state)
    if state.status != "closed" and not state.begun:
        raise Problem("tournament-open")
    last = state.current
    require_current(state, expected, last.seq if last else state.status_seq)
    if last and not last.closed:
        raise Problem("round-open" if last.published else "round-drafted")
    if stage != state.stage:
        raise Problem("stage-over" if stage < state.stage else "not-found")
    round = state.next_round[1]
    boards = most_boards(state, stage, round)
    seed = state.pairing_seed(stage, round)
    deals = [commitment(state.deal_seed(stage, round, board)) for board in range(1, boards + 1)]
    return [Drafted(by, stage, round, commitment(seed), deals)]


def most_boards(state: TournamentState, stage: int, round: int) -> int:
    """Return the largest possible number of boards. Raises Problem `too-few-entries`."""
    settings, given = stage_settings(state, stage), pairing_input_at(state, stage, round, b"count")
    present = [len(PastRounds(field.entries, field.own_history(given.history), settings).present) for field in given.groups]
    needed = min(present) if round == 1 else max(present)       # a group that has shrunk does not stop the others
    few = needed < settings.fewest
    if few or (settings.format in ELIMINATIONS and not refused_as_problem(lambda: compute_pairing(given)).tables):
        raise Problem("too-few-entries", f"{needed} take part, and a table takes {settings.fewest} at least")
    return sum(many // settings.fewest for many in present)


def set_tables(state: TournamentState, by: str, round: RoundState, expected: int, tables: Sequence[Sequence[int]]) -> Events:
    """Set tables by hand.

    `drafts.py` has checked them with the pairing library.
    """
    require_draft(state, by, round, expected)
    return [sealed_change(state, by, round, DraftChange(tables=[[*table] for table in tables]))]


def swap(state: TournamentState, by: str, round: RoundState, expected: int, one: int, other: int) -> Events:
    require_draft(state, by, round, expected)
    return [sealed_change(state, by, round, DraftChange(swap=[one, other]))]


def sealed_change(state: TournamentState, by: str, round: RoundState, made: DraftChange) -> DraftChanged:
    """Return the encrypted change as the next event."""
    return seal_change(state, state.version + 1, by, round.stage, round.number, made)


def require_draft(state: TournamentState, by: str, round: RoundState, expected: int) -> None:
    require_host(state, by)
    require_running(state)
    if round.published:
        raise Problem("round-published")
    require_current(state, expected, round.seq)


def publish(state: TournamentState, by: str, round: RoundState, expected: int, pairing: Pairing, now: datetime) -> Events:
    """Publish a draft with the given pairing."""
    require_draft(state, by, round, expected)
    if state.times.paused:
        raise Problem("desk-paused")
    if not pairing.tables:
        raise Problem("too-few-entries")
    if len(pairing.tables) > len(round.drafted.deals):
        raise Problem("pairing-invalid", "more tables than boards were committed to")
    boards = range(1, len(pairing.tables) + 1)
    ids = [state.table_id(round.stage, round.number, board, now).bytes for board in boards]
    return [Published(
        by, round.stage, round.number, state.pairing_seed(round.stage, round.number),
        [[*numbers(table)] for table in pairing.tables], [*numbers(pairing.byes)], ids,
        microseconds(now + timedelta(seconds=state.plan.wait)),
        [change.salt for change in round.changes], [change.made for change in round.changes if change.made],
    )]  # fmt: skip


# --- published rounds -------------------------------------------------------------------------------------------------
def recut_round(
    state: TournamentState, by: str, round: RoundState, expected: int, tables: Sequence[Sequence[int]],
    byes: Sequence[int], out: Sequence[int],
) -> Events:  # fmt: skip
    """Change the seats of boards whose games have not begun.

    Boards that get no entries are not played.
    """
    require_host(state, by)
    require_published(state, round)
    require_current(state, expected, round.seq)
    seats = [tuple(table) for table in tables]
    if len(seats) > len(round.boards):
        raise Problem("pairing-invalid", "the round has no more boards")
    for board in round.boards.values():
        wanted = seats[board.number - 1] if board.number <= len(seats) else ()
        if wanted != board.seats and (board.begun or board.games or not board.seats):
            raise Problem("board-begun", f"board {board.number}")
        if wanted != board.seats and wanted and len(wanted) != len(board.seats):
            raise Problem("pairing-invalid", f"board {board.number} has {len(board.seats)} seats")
    out = [*out, *still_out(state, round, {*byes, *out}.union(*seats))]
    refused_as_problem(lambda: pair_recut(state, round, seats, byes, out))
    return [Recut(by, round.stage, round.number, [[*table] for table in seats], [*byes], [*out])]


def still_out(state: TournamentState, round: RoundState, named: Set[int]) -> list[int]:
    """Return the entries that sit out the round but are not named by the recut."""
    this = round.stage, round.number
    return [one.number for one in state.listed if this in one.sits_out and one.left is None and one.number not in named]


def dispute(state: TournamentState, player: str, round: RoundState, board: Board, text: bytes, now: datetime) -> Events:
    require_published(state, round)
    entrant = entry_of(state, player)
    if entrant.number not in board.seats:
        raise Problem("not-seated")
    if board.result is None:
        raise Problem("table-running")
    if board.disputed is not None:
        raise Problem("dispute-open")
    if microseconds(now) > board.ended_at + DISPUTED_WITHIN or board.ruling is not None:
        raise Problem("dispute-late")
    return [Disputed(round.stage, round.number, board.number, entrant.number, text)]


def rule(
    state: TournamentState, by: str, round: RoundState, board: Board, expected: int, verdict: Verdict,
    places: Sequence[int], text: bytes,
) -> Events:  # fmt: skip
    """Rule on a board, or on a whole match. A running game ends."""
    require_may_rule(state, by, round, board)
    require_current(state, expected, board.seq)
    if not (are_places(places, len(board.seats)) if verdict == "places" else not places):
        raise Problem("invalid-places")
    if verdict == "upheld" and board.result is None:
        raise Problem("table-running")
    return [Ruled(by, round.stage, round.number, board.number, verdict, [*places], text)]


def require_may_rule(state: TournamentState, by: str, round: RoundState, board: Board) -> None:
    """Raise unless the official may rule on this board.

    Raises:
        Problem: `not-arbiter`, `plays-there`, `round-not-published`, `round-closed`, `not-found`.
    """
    require_arbiter(state, by)
    require_not_seated(state, by, round, board)


def require_not_seated(state: TournamentState, by: str, round: RoundState, board: Board) -> None:
    """Raise if the official plays at the board, or if the board is not in play.

    Raises:
        Problem: `plays-there`, `round-not-published`, `round-closed`, `not-found`.
    """
    require_published(state, round)
    if not board.seats:
        raise Problem("not-found")
    entrant = state.entrant_of(by)
    if entrant is not None and entrant.number in board.seats:
        raise Problem("plays-there")


def close(state: TournamentState, by: str, round: RoundState, expected: int) -> Events:
    require_host(state, by)
    require_published(state, round)
    require_current(state, expected, round.seq)
    if any(board.disputed is not None for board in round.boards.values()):
        raise Problem("dispute-open")
    if unsettled := [board.number for board in round.boards.values() if not board.is_settled]:
        raise Problem("tables-open", f"boards {', '.join(map(str, unsettled[:20]))}")
    last = is_last(state, round)
    later = advancing_entries(state, round.stage) if last and round.stage < len(state.plan.stages) else ()
    return [RoundClosed(by, round.stage, round.number, last, [*later])]


def require_published(state: TournamentState, round: RoundState) -> None:
    if not round.published:
        raise Problem("round-not-published")
    if round.closed or state.is_over:
        raise Problem("round-closed")


def get_round(state: TournamentState, stage: int, number: int) -> RoundState:
    round = state.rounds.get((stage, number))
    if round is None:
        raise Problem("not-found")
    return round


def get_board(round: RoundState, number: int) -> Board:
    board = round.boards.get(number)
    if board is None:
        raise Problem("not-found")
    return board


def refused_as_problem(work: Callable[[], T]) -> T:
    """Call a function, and turn Refused into Problem `pairing-invalid`."""
    try:
        return work()
    except Refused as refused:
        raise Problem("pairing-invalid", refused.detail) from refused
