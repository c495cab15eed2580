"""The tables of a round: opened and seated, begun, ended. Any process may do any of it, and again, and it comes to the same."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from services.problems import Problem
from services.tables import arranged, ends
from services.tables.chain import commitment, microseconds, new_secret
from services.tables.history import History
from services.tables.opening import Dealt, Place
from services.tables.rows import AnyRow, Deal, GameEnded, type_of
from services.tables.tables import Tables
from services.tournaments.acts import SECOND, Rows
from services.tournaments.plan import table_of
from services.tournaments.rows import Begun, Result
from services.tournaments.state import Board, RoundState, TournamentState
from services.tournaments.streams import Tournaments

log = logging.getLogger(__name__)
Work = Callable[[Board], Awaitable[None]]
AFTER_GRACE = 2
AT_ONCE = 32
"""Tables that are seen to at the same time."""


class Sight(NamedTuple):
    """Of a board, so that it is looked at again only when something about it is another."""

    head: bytes
    seats: tuple[int, ...]
    begun: bool
    ruled: bool
    phase: int


class Rounds:
    def __init__(self, tournaments: Tournaments, tables: Tables) -> None:
        self.tournaments, self.tables = tournaments, tables
        self.places = asyncio.Semaphore(AT_ONCE)
        self.seen: dict[UUID, Sight] = {}

    async def see_to(self, stream: UUID) -> bool:
        """All that is to be done at the tables of the round that is played; whether anything is left to wait for."""
        state = await self.tournaments.fresh(stream)
        round = state.current
        if round is None or round.published is None or round.closed:
            return False
        await self.open_all(state, round)
        await self.begin(state, round)
        await self.follow(state, round)
        left = [*round.open_boards]
        return bool(left) or not state.is_over

    # --- opening --------------------------------------------------------------------------------------------------------
    async def open_all(self, state: TournamentState, round: RoundState) -> None:
        """Each table with its players in one append."""
        missing = [board for board in round.open_boards if board.table not in self.seen]
        if not missing or state.is_over:
            return
        there = await self.tables.store.heads([board.table for board in missing])
        await self.each([board for board in missing if board.table not in there], lambda board: self.open(state, round, board))

    async def open(self, state: TournamentState, round: RoundState, board: Board) -> None:
        wanted = table_of(state.plan, len(board.seats))
        place = Place(state.stream.bytes, round.stage, round.number, board.number)
        rows = arranged.seats_of(players(state, board))
        await self.tables.open(board.table, state.id, wanted, rows, dealt(state, round, board), place)

    async def each(self, boards: Iterable[Board], work: Work) -> None:
        """One that fails keeps no other one waiting."""
        async def one(board: Board) -> None:
            async with self.places:
                try:
                    await work(board)
                except Problem as problem:
                    log.warning("table %s of a tournament waits: %s", board.table, problem)

        async with asyncio.TaskGroup() as group:
            for board in boards:
                group.create_task(one(board))

    # --- beginning ------------------------------------------------------------------------------------------------------
    async def begin(self, state: TournamentState, round: RoundState) -> None:
        """Written down before any game begins: from then on nobody is seated otherwise."""
        waiting = [board for board in round.open_boards if not board.begun]
        if not waiting or state.is_over:
            return
        now, ready = self.now(), list[int]()

        async def look(board: Board) -> None:
            if is_time(round, now) or await self.is_ready(state, board):
                ready.append(board.number)

        await self.each(waiting, look)
        if ready:
            seats = {board.number: board.seats for board in waiting}
            await self.tournaments.change(state.stream, lambda s: begun(s, round, ready, seats))

    async def is_ready(self, state: TournamentState, board: Board) -> bool:
        history = await self.tables.hot.fresh(board.table)
        sitting = [sat.player if sat else None for sat in history.seats]
        return arranged.all_ready(history) and sitting == players(state, board)

    def now(self) -> datetime:
        return self.tables.house.now()

    # --- while they are played ------------------------------------------------------------------------------------------
    async def follow(self, state: TournamentState, round: RoundState) -> None:
        """What is to be done at each table that has changed, and the results of those that are over."""
        boards = [*round.open_boards, *round.left_over]
        heads = await self.tables.store.heads([board.table for board in boards])
        phase = phase_of(state, round, self.now())
        results: list[Result] = []

        async def look(board: Board) -> None:
            sight = Sight(heads[board.table], board.seats, board.begun, board.ruling is not None, phase)
            if self.seen.get(board.table) == sight:
                return
            history = await self.arrange(state, board, phase)
            if history.ended is not None and board.seats:
                results.append(result(round, board, history, await self.head_of_end(board.table)))
            else:
                self.seen[board.table] = sight

        await self.each([board for board in boards if board.table in heads], look)
        if results:
            await self.tournaments.change(state.stream, lambda s: told(s, round, results))
            for told_of in results:
                self.seen.pop(round.boards[told_of.board].table, None)

    async def arrange(self, state: TournamentState, board: Board, phase: int) -> History:
        """The table as it is to be, as far as the tournament has its way with it."""
        wanted = players(state, board)

        def decide(history: History) -> list[AnyRow]:
            if not board.seats or state.status == "cancelled":
                return ends.voided(history)
            if board.ruling is not None and board.ruling.verdict == "void":
                return ends.voided(history)
            if board.ruling is not None and (rows := arranged.adjudicated(history, board.ruling.places)):
                return rows
            if rows := arranged.reseated(history, wanted):
                return rows
            if board.begun and (rows := arranged.begin(history)):
                return rows
            return arranged.no_shows(history) if phase == AFTER_GRACE else []

        await self.tables.hot.fresh(board.table)
        while (await self.tables.changed(board.table, None, decide, None)).rows:
            continue
        return await self.tables.hot.load(board.table)

    async def head_of_end(self, table: UUID) -> bytes:
        rows = await self.tables.store.fetch(
            "select hash from es.events where partition = es.partition_of($1) and stream_id = $1 and type = $2",
            table, type_of(GameEnded),
        )  # fmt: skip
        head: bytes = rows[0]["hash"]
        return head


def phase_of(state: TournamentState, round: RoundState, now: datetime) -> int:
    """Before the round's time, in the grace after it, or behind that."""
    assert round.published is not None
    late = microseconds(now) - round.published.starts_at
    return 0 if late < 0 else AFTER_GRACE if late >= state.plan.grace * SECOND else 1


def is_time(round: RoundState, now: datetime) -> bool:
    return round.published is not None and microseconds(now) >= round.published.starts_at


def players(state: TournamentState, board: Board) -> list[str]:
    return [state.entrants[number].player for number in board.seats]


def dealt(state: TournamentState, round: RoundState, board: Board) -> Dealt:
    """What the draft has committed the board to, and a key for the chain of its table."""
    at = round.stage, round.number, board.number
    secret = new_secret(state.derived(b"chain", *at), state.deal_seed(*at))
    return secret, Deal(commitment(secret.deal))


def result(round: RoundState, board: Board, history: History, head: bytes) -> Result:
    """Of a table that is over. head: the hash of the row that ended it."""
    assert history.ended is not None
    absent = arranged.never_came(history) if history.state is not None else []
    outcome = history.ended.outcome
    places = arranged.counted(outcome, absent) if outcome else []
    points = arranged.points(history) if places else []
    return Result(round.stage, round.number, board.number, history.ended.reason, places, points, absent, head)


def begun(state: TournamentState, round: RoundState, boards: Sequence[int], seats: dict[int, tuple[int, ...]]) -> Rows:
    """Those that are still as they were when they were found ready."""
    now = state.rounds[round.stage, round.number]
    still = [at for at in boards if not now.boards[at].begun and now.boards[at].seats == seats[at]]
    return [Begun(round.stage, round.number, sorted(still))] if still and not state.is_over else []


def told(state: TournamentState, round: RoundState, results: Sequence[Result]) -> Rows:
    """Once a table, whichever process was first."""
    boards = state.rounds[round.stage, round.number].boards
    return [result for result in sorted(results, key=lambda result: result.board) if boards[result.board].result is None]
