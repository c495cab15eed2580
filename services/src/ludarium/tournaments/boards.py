"""The boards of a round: their phase, players, deals and results."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from ludarium.tables.model import access, tournament_tables
from ludarium.tables.model.events import Deal
from ludarium.tables.model.hash_chain import microseconds, new_secret
from ludarium.tables.model.opening import Dealt
from ludarium.tables.model.table_state import TableState
from ludarium.tournaments.events import Begun, Result
from ludarium.tournaments.matches import with_next_game
from ludarium.tournaments.plan import StageBody
from ludarium.tournaments.player_commands import SECOND, Events
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState

TIME_UP, OVERTIME_UP = 2, 3
"""Phases of a board: see `phase_of`."""


class BoardSnapshot(NamedTuple):
    """The state of a board when it was processed.

    It is processed again when that changes.
    """

    head: bytes
    players: tuple[str, ...]
    begin_ready: bool = False
    ruled: bool = False
    phase: int = 0
    held: bool = False
    cancelled: bool = False
    added: int = 0


def snapshot_of(state: TournamentState, round: RoundState, board: Board, now: datetime) -> BoardSnapshot:
    """Return the board's snapshot without its head."""
    return BoardSnapshot(
        b"", tuple(players(state, board)), board.begun, board.ruling is not None,
        phase_of(state.stage_of(round.stage), board, now), bool(board.stopped_at), state.status == "cancelled",
        len(board.time_added),
    )  # fmt: skip


def phase_of(stage: StageBody, board: Board, now: datetime) -> int:
    """Return the board's phase.

    0 before its start, 1 after it, then TIME_UP and OVERTIME_UP.
    """
    at = board.stopped_at or microseconds(now)
    over = at - board.ends_at if board.ends_at else -1
    if over >= 0:
        return TIME_UP if over < stage.overtime * SECOND else OVERTIME_UP
    return 0 if at < board.starts_at else 1


def is_due(board: Board, now: datetime) -> bool:
    """Return whether a game begins even if players are not ready.

    A ruling ends the game immediately.
    """
    return board.ruling is not None or microseconds(now) >= board.starts_at


def players(state: TournamentState, board: Board) -> list[str]:
    return [state.entrants[number].player for number in board.table_seats]


def added_seconds(board: Board) -> Counter[int]:
    """Return the seconds given by officials, by seat of the table."""
    given = Counter[int]()
    for row in board.time_added:
        given[board.table_seats.index(row.entry)] += row.seconds
    return given


def deal_secrets(state: TournamentState, round: RoundState, board: Board) -> Dealt:
    """Return the board's deal, and the secret of its table's hash chain.

    The stream of a shared deal is the tournament's.
    """
    at, again, game = (round.stage, round.number, board.number), len(board.earlier_tables), board.game
    nth = [again, game] if game > 1 else [again] if again else []
    secret = new_secret(state.derive_secret(b"chain", *at, *nth), state.deal_seed(*at, again, game))
    return secret, deal_of(state, round, board)


def deal_of(state: TournamentState, round: RoundState, board: Board) -> Deal:
    """Return the deal as the table's first event has it."""
    if board.earlier_tables or not state.has_shared_deals(round.stage):
        return Deal(board.deal)
    return Deal(board.deal, state.stream.bytes, board.number, [round.nonce] if round.nonce else [])


def result_event(round: RoundState, board: Board, table: TableState, head: bytes) -> Result:
    """Return the result of a finished table.

    Args:
        head: hash of the event that ended it.
    """
    assert table.ended is not None
    absent = access.never_came(table) if table.state is not None else []
    outcome = table.ended.outcome
    places = tournament_tables.counted_places(outcome, absent) if outcome else []
    points = tournament_tables.points(table) if places else []
    return Result(round.stage, round.number, board.number, table.ended.reason, places, points, absent, head)


def begin_ready(state: TournamentState, round: RoundState, ready: Mapping[UUID, tuple[int, ...]]) -> Events:
    """Return the event that begins games at boards that are still ready.

    Boards of a shared deal begin together.
    """
    waiting = [board for board in state.rounds[round.stage, round.number].open_boards if not board.begun]
    still = {board.number for board in waiting if ready.get(board.table) == board.seats and not board.stopped_at}
    sharing = {board.number for board in waiting if state.has_shared_deals(round.stage) and not board.earlier_tables}
    boards = sorted(still if sharing <= still else still - sharing)
    return [Begun(round.stage, round.number, boards)] if boards and not state.is_over else []


def record_results(state: TournamentState, round: RoundState, results: Mapping[UUID, Result], now: datetime) -> Events:
    """Return the events for new results, once for each table.

    Replayed boards have others.
    """
    boards = [board for board in state.rounds[round.stage, round.number].boards.values() if board.result is None]
    return [row for board in boards if board.table in results
            for row in with_next_game(state, round, board, results[board.table], now)]
