"""The tables of a round: opening, seating, starting and ending them.

Any process may do any of this, also repeatedly, with the same result.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.tables.model import endings, tournament_tables
from ludarium.tables.model.event_types import AnyEvent, type_of
from ludarium.tables.model.events import TableEnded
from ludarium.tables.model.opening import Place
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium.tournaments.boards import (
    OVERTIME_UP,
    TIME_UP,
    BoardSnapshot,
    added_seconds,
    begin_ready,
    deal_secrets,
    is_due,
    players,
    record_results,
    result_event,
    snapshot_of,
)
from ludarium.tournaments.events import Result
from ludarium.tournaments.plan import table_of
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState, rotated
from ludarium.tournaments.store import TournamentStore

log = logging.getLogger(__name__)
Work = Callable[[Board], Awaitable[None]]
UNREADABLE_FOR_GOOD = "log-damaged", "superseded-rules"
"""Codes of tables that can never be read again. Officials replay their boards."""
CONCURRENT_TABLES = 32
"""Tables processed at the same time."""


class Rounds:
    def __init__(self, tournaments: TournamentStore, tables: Tables) -> None:
        self.tournaments, self.tables = tournaments, tables
        self.places = asyncio.Semaphore(CONCURRENT_TABLES)
        self.processed: dict[UUID, BoardSnapshot] = {}
        self.late_at: dict[UUID, datetime] = {}     # when the grace of a silent seat ends, by table
        self.unready: dict[UUID, tuple[bytes, tuple[int, ...]]] = {}    # by table: its head, and the intended seats
        self.ended: set[UUID] = set()           # tables whose boards were replayed
        self.pending_results: dict[tuple[UUID, bytes], Result] = {}    # results of shared deals with other tables still playing

    async def process(self, stream: UUID) -> bool:
        """Process the tables of the current round.

        Returns whether anything is left to wait for.
        """
        state = await self.tournaments.fresh(stream)
        round = state.current
        if round is None or round.published is None or round.closed:
            return False
        await self.open_all(state, round)
        await self.begin_games(state, round)
        await self.update_tables(state, round)
        left = [*round.open_boards]
        return bool(left) or not state.is_over

    # --- opening ------------------------------------------------------------------------------------------------------
    async def open_all(self, state: TournamentState, round: RoundState) -> None:
        """Open the missing tables, each in one append with its players.

        It starts at a random table and goes in batches, so that processes that do the same do not collide.
        """
        missing = [board for board in round.open_boards if board.table not in self.processed]
        if state.is_over:
            return
        rng = self.tables.entropy.random("opening", state.stream, round.stage, round.number)
        start = rng.randrange(len(missing)) if missing else 0
        for boards in batched([*missing[start:], *missing[:start]], CONCURRENT_TABLES):
            existing = await self.tables.store.heads([board.table for board in boards])
            wanted = [board for board in boards if board.table not in existing]
            await self.for_each(wanted, lambda board: self.open(state, round, board))

    async def open(self, state: TournamentState, round: RoundState, board: Board) -> None:
        if not board.seats:
            return                              # it was left over in the meantime
        sitting = players(state, board)
        place = Place(state.stream.bytes, round.stage, round.number, board.number)
        opened = await self.tables.arrange(
            board.table, state.id, table_of(state.plan, len(sitting), state.times.delay),
            tournament_tables.seats_of(sitting, round.nonce), deal_secrets(state, round, board), place,
        )  # fmt: skip
        if opened is not None:                  # later decisions are applied in the next step
            self.processed[board.table] = BoardSnapshot(opened.hash, tuple(sitting))

    async def for_each(self, boards: Iterable[Board], work: Work) -> None:
        """Run work for each board; a failure does not affect others."""
        async def one(board: Board) -> None:
            async with self.places:
                try:
                    await work(board)
                except Problem as problem:
                    log.warning("table %s of a tournament waits: %s", board.table, problem)

        async with asyncio.TaskGroup() as group:
            for board in boards:
                group.create_task(one(board))

    # --- starting -----------------------------------------------------------------------------------------------------
    async def begin_games(self, state: TournamentState, round: RoundState) -> None:
        """Record which games begin, before they do. From then on seats cannot be changed."""
        waiting = [board for board in round.open_boards if not board.begun and not board.stopped_at]
        if not waiting or state.is_over:
            return
        now, ready = self.now(), list[int]()

        late = [board for board in waiting if is_due(board, now)]
        early = [board for board in waiting if not is_due(board, now)]
        ready += [board.number for board in late]
        heads = await self.tables.store.heads([board.table for board in early])

        async def update(board: Board) -> None:
            at = heads[board.table], board.seats
            if self.unready.get(board.table) == at:
                return
            if await self.is_ready(state, board):
                ready.append(board.number)
            else:
                self.unready[board.table] = at

        await self.for_each([board for board in early if board.table in heads], update)
        if ready:
            seen = {board.table: board.seats for board in waiting if board.number in ready}
            await self.tournaments.change(state.stream, lambda s: begin_ready(s, round, seen))

    async def is_ready(self, state: TournamentState, board: Board) -> bool:
        table = await self.tables.cache.fresh(board.table)
        sitting = [sat.player if sat else None for sat in table.seats]
        return tournament_tables.all_ready(table) and sitting == players(state, board)

    def now(self) -> datetime:
        return self.tables.server_clock.now()

    # --- during games -------------------------------------------------------------------------------------------------
    async def update_tables(self, state: TournamentState, round: RoundState) -> None:
        """Update each table that has changed, and record the results of finished ones."""
        boards = [*round.open_boards, *round.left_over]
        heads = await self.tables.store.heads([board.table for board in boards])
        now = self.now()
        results: dict[UUID, Result] = {}

        async def update(board: Board) -> None:
            snapshot = snapshot_of(state, round, board, now)._replace(head=heads[board.table])
            at = board.table, snapshot.head
            if self.processed.get(board.table) == snapshot and not self.is_late(board, now):
                return
            if at not in self.pending_results:
                try:
                    await self.update_table(state, round, board, snapshot.phase)
                except Problem as problem:
                    if problem.code in UNREADABLE_FOR_GOOD:
                        self.processed[board.table] = snapshot      # process it again only when something about it changes
                    raise
                await self.stand_in(state, board, now)
                table_state = await self.tables.cache.load(board.table)
                if table_state.ended is None or not board.seats:
                    self.processed[board.table] = snapshot
                    return
                self.pending_results[at] = result_event(round, board, table_state, await self.head_of_end(board.table))
            results[board.table] = self.pending_results[at]

        await self.for_each([board for board in boards if board.table in heads], update)
        await self.end_replayed(round)
        if publishable := await self.publishable_results(state, round, results, heads.keys()):
            await self.tournaments.change(state.stream, lambda s: record_results(s, round, publishable, now))
            for table in publishable:
                self.processed.pop(table, None)
            self.pending_results = {at: each for at, each in self.pending_results.items() if at[0] not in publishable}

    async def end_replayed(self, round: RoundState) -> None:
        """End tables whose boards were replayed.

        Those that can never be read again are left alone.
        """
        left = [table for board in round.boards.values() for table in board.earlier_tables if table not in self.ended]
        for table in await self.tables.store.heads(left) if left else ():
            if await self.readable(table):
                await self.tables.decide_and_append(table, endings.void_table)
            self.ended.add(table)

    async def readable(self, table: UUID) -> TableState | None:
        """Return the table, None if no process of this release can read it."""
        try:
            return await self.tables.cache.fresh(table)
        except Problem as problem:
            if problem.code not in UNREADABLE_FOR_GOOD:
                raise
            return None

    # --- shared deals -------------------------------------------------------------------------------------------------
    async def publishable_results(
        self, state: TournamentState, round: RoundState, results: dict[UUID, Result], existing: Collection[UUID]
    ) -> dict[UUID, Result]:
        """Return the results that may be published.

        Tables of a shared deal wait until all of them are over and have revealed its seed.
        """
        if not state.has_shared_deals(round.stage):
            return results
        sharing = [board for board in round.open_boards if not board.earlier_tables]
        pending = {board.table for board in sharing if board.table in existing or not state.is_over}
        if not pending or (pending <= results.keys() and await self.reveal(round)):
            return results
        return {table: one for table, one in results.items() if table not in pending}

    async def reveal(self, round: RoundState) -> bool:
        """Reveal the seed at all tables of a shared deal.

        Returns False while one is not over.
        """
        tables = [(*board.earlier_tables, board.table)[0] for board in round.boards.values()]
        found = [await self.readable(table) for table in await self.tables.store.heads(tables)]
        readable = [table for table in found if table is not None]
        if any(table.ended is None for table in readable):
            return False
        for table in readable:
            await self.tables.decide_and_append(table.stream, endings.reveal_seeds)
        return True

    def is_late(self, board: Board, now: datetime) -> bool:
        return board.table in self.late_at and self.late_at[board.table] <= now

    async def update_table(self, state: TournamentState, round: RoundState, board: Board, phase: int) -> None:
        """Bring the table into the state that the tournament wants."""
        wanted = players(state, board)
        standing = await self.final_places(board, phase) if phase >= TIME_UP else None

        def decide(table: TableState) -> list[AnyEvent]:
            if not board.seats or state.status == "cancelled":
                return endings.void_table(table)
            if board.ruling is not None and board.ruling.verdict == "void":
                return endings.void_table(table)
            ruling = board.ruling
            if ruling is not None and (rows := tournament_tables.adjudicated(table, rotated(ruling.places, board.game))):
                return rows
            rows = tournament_tables.reseated(table, wanted, round.nonce) or tournament_tables.substituted(table, wanted)
            if rows:
                return rows
            if board.stopped_at:
                rows = tournament_tables.pause_by_officials(table)
            else:
                rows = tournament_tables.resume_by_officials(table)
            if rows:
                return rows
            if rows := tournament_tables.grant_time(table, added_seconds(board)):
                return rows
            if standing and (rows := tournament_tables.adjudicated(table, standing)):
                return rows
            return tournament_tables.begin(table) if board.begun and not board.stopped_at else []

        await self.tables.cache.fresh(board.table)
        while (await self.tables.decide_and_append(board.table, decide)).events:
            continue

    async def stand_in(self, state: TournamentState, board: Board, now: datetime) -> None:
        """Let the absence policy answer for seats after their grace.

        Also note when the next grace ends.
        """
        self.late_at.pop(board.table, None)
        table = await self.tables.cache.fresh(board.table)
        silent = [] if board.stopped_at else tournament_tables.silent(table)
        if not silent:
            return
        rows, version = await self.tables.cache.events(board.table), table.version
        ends = {seat: self.grace_ends(state, tournament_tables.silent_since(table, rows, seat), now) for seat in silent}
        late = [seat for seat, at in ends.items() if at <= now]
        if late:                                # if the table has changed, players may have come: check again next time
            await self.tables.decide_and_append(
                board.table, lambda h: tournament_tables.no_shows(h, late) if h.version == version else []
            )
        elif ends:
            self.late_at[board.table] = min(ends.values())

    def grace_ends(self, state: TournamentState, since: datetime, now: datetime) -> datetime:
        """Return when the grace ends. Outages extend it."""
        return since + timedelta(seconds=state.plan.grace) + self.tables.server_clock.outages.between(since, now)

    async def final_places(self, board: Board, phase: int) -> list[int] | None:
        """Return the places of a game whose time is over, at the end of its last turn.

        None while that turn is running.
        """
        table = await self.tables.cache.fresh(board.table)
        if table.status != "playing":
            return None
        rows = await self.tables.cache.events(board.table)
        last = tournament_tables.end_of_turn(rows, board.ends_at)
        if last is None and phase < OVERTIME_UP:
            return None
        past = await self.tables.cache.state_at(board.table, rows, rows[-1].version if last is None else last)
        return endings.places(past, past.playing)

    async def head_of_end(self, table: UUID) -> bytes:
        rows = await self.tables.store.fetch(
            "select hash from es.events where partition = es.partition_of($1) and stream_id = $1 and type = $2",
            table, type_of(TableEnded),
        )  # fmt: skip
        head: bytes = rows[0]["hash"]
        return head


def batched(boards: Sequence[Board], size: int) -> Iterator[Sequence[Board]]:
    return (boards[start : start + size] for start in range(0, len(boards), size))
