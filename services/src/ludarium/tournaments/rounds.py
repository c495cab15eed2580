"""The tables of a round: opened and seated, begun, ended. Any process may do any of it, and again, and it comes to the same."""
from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.tables.model import access, endings, tournament_tables
from ludarium.tables.model.event_types import AnyEvent, type_of
from ludarium.tables.model.events import Deal, TableEnded
from ludarium.tables.model.hash_chain import microseconds, new_secret
from ludarium.tables.model.opening import Dealt, Place
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium.tournaments.events import Begun, Result
from ludarium.tournaments.matches import with_next_game
from ludarium.tournaments.plan import StageBody, table_of
from ludarium.tournaments.player_commands import SECOND, Rows
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, RoundState, turned
from ludarium.tournaments.store import Tournaments

log = logging.getLogger(__name__)
Work = Callable[[Board], Awaitable[None]]
TIME_UP, OVERTIME_UP = 2, 3
"""Phases of a board: see `phase_of`."""
AT_ONCE = 32
"""Tables that are seen to at the same time."""


class Sight(NamedTuple):
    """Of a board, so that it is looked at again only when something about it is another."""

    head: bytes
    players: tuple[str, ...]
    begun: bool = False
    ruled: bool = False
    phase: int = 0
    held: bool = False
    cancelled: bool = False
    added: int = 0


class Rounds:
    def __init__(self, tournaments: Tournaments, tables: Tables) -> None:
        self.tournaments, self.tables = tournaments, tables
        self.places = asyncio.Semaphore(AT_ONCE)
        self.seen: dict[UUID, Sight] = {}
        self.late_at: dict[UUID, datetime] = {}     # when the grace of a silent seat ends, by table
        self.unready: dict[UUID, tuple[bytes, tuple[int, ...]]] = {}    # by its head and who is to sit there
        self.ended: set[UUID] = set()           # tables whose boards were played again
        self.over: dict[tuple[UUID, bytes], Result] = {}    # of shared deals whose other tables are still played

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
        """Each table with its players in one append.

        From anywhere on and piece by piece: processes that do the same at the same time leave each other's tables alone.
        """
        missing = [board for board in round.open_boards if board.table not in self.seen]
        if state.is_over:
            return
        luck = self.tables.entropy.random("opening", state.stream, round.stage, round.number)
        start = luck.randrange(len(missing)) if missing else 0
        for boards in batched([*missing[start:], *missing[:start]], AT_ONCE):
            there = await self.tables.store.heads([board.table for board in boards])
            wanted = [board for board in boards if board.table not in there]
            await self.each(wanted, lambda board: self.open(state, round, board))

    async def open(self, state: TournamentState, round: RoundState, board: Board) -> None:
        if not board.seats:
            return                              # it was left over while others were opened
        sitting = players(state, board)
        place = Place(state.stream.bytes, round.stage, round.number, board.number)
        opened = await self.tables.arrange(
            board.table, state.id, table_of(state.plan, len(sitting), state.times.delay),
            tournament_tables.seats_of(sitting, round.nonce), dealt(state, round, board), place,
        )  # fmt: skip
        if opened is not None:                  # with nothing decided: what has been, or is meanwhile, is seen to next
            self.seen[board.table] = Sight(opened.hash, tuple(sitting))

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
        waiting = [board for board in round.open_boards if not board.begun and not board.held]
        if not waiting or state.is_over:
            return
        now, ready = self.now(), list[int]()

        late = [board for board in waiting if is_time(board, now)]
        early = [board for board in waiting if not is_time(board, now)]
        ready += [board.number for board in late]
        heads = await self.tables.store.heads([board.table for board in early])

        async def look(board: Board) -> None:
            at = heads[board.table], board.seats
            if self.unready.get(board.table) == at:
                return
            if await self.is_ready(state, board):
                ready.append(board.number)
            else:
                self.unready[board.table] = at

        await self.each([board for board in early if board.table in heads], look)
        if ready:
            seen = {board.table: board.seats for board in waiting if board.number in ready}
            await self.tournaments.change(state.stream, lambda s: begun(s, round, seen))

    async def is_ready(self, state: TournamentState, board: Board) -> bool:
        history = await self.tables.cache.fresh(board.table)
        sitting = [sat.player if sat else None for sat in history.seats]
        return tournament_tables.all_ready(history) and sitting == players(state, board)

    def now(self) -> datetime:
        return self.tables.server_clock.now()

    # --- while they are played ------------------------------------------------------------------------------------------
    async def follow(self, state: TournamentState, round: RoundState) -> None:
        """What is to be done at each table that has changed, and the results of those that are over."""
        boards = [*round.open_boards, *round.left_over]
        heads = await self.tables.store.heads([board.table for board in boards])
        now = self.now()
        results: dict[UUID, Result] = {}

        async def look(board: Board) -> None:
            sight = sight_of(state, round, board, now)._replace(head=heads[board.table])
            at = board.table, sight.head
            if self.seen.get(board.table) == sight and not self.is_late(board, now):
                return
            if at not in self.over:
                await self.arrange(state, round, board, sight.phase)
                await self.stand_in(state, board, now)
                history = await self.tables.cache.load(board.table)
                if history.ended is None or not board.seats:
                    self.seen[board.table] = sight
                    return
                self.over[at] = result(round, board, history, await self.head_of_end(board.table))
            results[board.table] = self.over[at]

        await self.each([board for board in boards if board.table in heads], look)
        await self.end_replayed(round)
        if ripe := await self.ripe(state, round, results, heads.keys()):
            await self.tournaments.change(state.stream, lambda s: told(s, round, ripe, now))
            for table in ripe:
                self.seen.pop(table, None)
            self.over = {at: each for at, each in self.over.items() if at[0] not in ripe}

    async def end_replayed(self, round: RoundState) -> None:
        """Tables whose boards are played again at others."""
        left = [table for board in round.boards.values() for table in board.earlier if table not in self.ended]
        for table in await self.tables.store.heads(left) if left else ():
            await self.tables.decide_and_append(table, endings.void_table)
            self.ended.add(table)

    # --- shared deals ---------------------------------------------------------------------------------------------------
    async def ripe(
        self, state: TournamentState, round: RoundState, results: dict[UUID, Result], there: Collection[UUID]
    ) -> dict[UUID, Result]:
        """The results that may be told: of tables that play the same deal when all are over, and know its seed."""
        if not state.shares(round.stage):
            return results
        sharing = [board for board in round.open_boards if not board.earlier]
        waited_for = {board.table for board in sharing if board.table in there or not state.is_over}
        if not waited_for or (waited_for <= results.keys() and await self.reveal(round)):
            return results
        return {table: one for table, one in results.items() if table not in waited_for}

    async def reveal(self, round: RoundState) -> bool:
        """Tell all tables of a shared deal its seed; false while one of them is not over."""
        tables = [(*board.earlier, board.table)[0] for board in round.boards.values()]
        there = await self.tables.store.heads(tables)
        for table in there:
            if (await self.tables.cache.fresh(table)).ended is None:
                return False
        for table in there:
            await self.tables.decide_and_append(table, endings.reveal_seeds)
        return True

    def is_late(self, board: Board, now: datetime) -> bool:
        return board.table in self.late_at and self.late_at[board.table] <= now

    async def arrange(self, state: TournamentState, round: RoundState, board: Board, phase: int) -> None:
        """The table as it is to be, as far as the tournament has its way with it."""
        wanted = players(state, board)
        standing = await self.at_the_end(board, phase) if phase >= TIME_UP else None

        def decide(history: TableState) -> list[AnyEvent]:
            if not board.seats or state.status == "cancelled":
                return endings.void_table(history)
            if board.ruling is not None and board.ruling.verdict == "void":
                return endings.void_table(history)
            ruling = board.ruling
            if ruling is not None and (rows := tournament_tables.adjudicated(history, turned(ruling.places, board.game))):
                return rows
            rows = tournament_tables.reseated(history, wanted, round.nonce) or tournament_tables.substituted(history, wanted)
            if rows:
                return rows
            pause_or_resume = tournament_tables.pause_by_officials if board.held else tournament_tables.resume_by_officials
            if rows := pause_or_resume(history):
                return rows
            if rows := tournament_tables.grant_time(history, granted(board)):
                return rows
            if standing and (rows := tournament_tables.adjudicated(history, standing)):
                return rows
            return tournament_tables.begin(history) if board.begun and not board.held else []

        await self.tables.cache.fresh(board.table)
        while (await self.tables.decide_and_append(board.table, decide)).events:
            continue

    async def stand_in(self, state: TournamentState, board: Board, now: datetime) -> None:
        """Have the absence policy answer for seats that were silent for the whole grace, and note when the next one's ends."""
        self.late_at.pop(board.table, None)
        history = await self.tables.cache.fresh(board.table)
        silent = [] if board.held else tournament_tables.silent(history)
        if not silent:
            return
        rows, version = await self.tables.cache.events(board.table), history.version
        ends = {seat: self.grace_ends(state, tournament_tables.silent_since(history, rows, seat), now) for seat in silent}
        late = [seat for seat, at in ends.items() if at <= now]
        if late:                                # in what others have done meanwhile they may have come: that is looked at next
            await self.tables.decide_and_append(
                board.table, lambda h: tournament_tables.no_shows(h, late) if h.version == version else []
            )
        elif ends:
            self.late_at[board.table] = min(ends.values())

    def grace_ends(self, state: TournamentState, since: datetime, now: datetime) -> datetime:
        """Return when the grace ends, which an outage does not shorten."""
        return since + timedelta(seconds=state.plan.grace) + self.tables.server_clock.outages.between(since, now)

    async def at_the_end(self, board: Board, phase: int) -> list[int] | None:
        """The places of a game whose time is up, as it stood when the turn was over that ran then; None while that runs."""
        history = await self.tables.cache.fresh(board.table)
        if history.status != "playing":
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


def sight_of(state: TournamentState, round: RoundState, board: Board, now: datetime) -> Sight:
    """Without its head, as the tournament is just now."""
    return Sight(
        b"", tuple(players(state, board)), board.begun, board.ruling is not None,
        phase_of(state.stage_of(round.stage), board, now), bool(board.held), state.status == "cancelled",
        len(board.added),
    )  # fmt: skip


def phase_of(stage: StageBody, board: Board, now: datetime) -> int:
    """Before its time, after it; when its time is up, and that for the last turn too."""
    at = board.held or microseconds(now)
    over = at - board.ends_at if board.ends_at else -1
    if over >= 0:
        return TIME_UP if over < stage.overtime * SECOND else OVERTIME_UP
    return 0 if at < board.starts_at else 1


def is_time(board: Board, now: datetime) -> bool:
    """Return whether a game begins, whoever is ready. A ruling ends it at once."""
    return board.ruling is not None or microseconds(now) >= board.starts_at


def players(state: TournamentState, board: Board) -> list[str]:
    return [state.entrants[number].player for number in board.sitting]


def granted(board: Board) -> Counter[int]:
    """By seat of its table, the seconds that the desk has given."""
    given = Counter[int]()
    for row in board.added:
        given[board.sitting.index(row.entry)] += row.seconds
    return given


def dealt(state: TournamentState, round: RoundState, board: Board) -> Dealt:
    """What the board is committed to, and a key for the chain of its table. The stream of a shared deal is the tournament's."""
    at, again, game = (round.stage, round.number, board.number), len(board.earlier), board.game
    nth = [again, game] if game > 1 else [again] if again else []
    secret = new_secret(state.derived(b"chain", *at, *nth), state.deal_seed(*at, again, game))
    return secret, deal_of(state, round, board)


def deal_of(state: TournamentState, round: RoundState, board: Board) -> Deal:
    """As its table's first row has it."""
    if board.earlier or not state.shares(round.stage):
        return Deal(board.deal)
    return Deal(board.deal, state.stream.bytes, board.number, [round.nonce] if round.nonce else [])


def result(round: RoundState, board: Board, history: TableState, head: bytes) -> Result:
    """Of a table that is over. head: the hash of the row that ended it."""
    assert history.ended is not None
    absent = access.never_came(history) if history.state is not None else []
    outcome = history.ended.outcome
    places = tournament_tables.counted_places(outcome, absent) if outcome else []
    points = tournament_tables.points(history) if places else []
    return Result(round.stage, round.number, board.number, history.ended.reason, places, points, absent, head)


def begun(state: TournamentState, round: RoundState, ready: Mapping[UUID, tuple[int, ...]]) -> Rows:
    """Those that are still as they were when they were found ready; boards of a shared deal all at once or not yet."""
    waiting = [board for board in state.rounds[round.stage, round.number].open_boards if not board.begun]
    still = {board.number for board in waiting if ready.get(board.table) == board.seats and not board.held}
    sharing = {board.number for board in waiting if state.shares(round.stage) and not board.earlier}
    boards = sorted(still if sharing <= still else still - sharing)
    return [Begun(round.stage, round.number, boards)] if boards and not state.is_over else []


def told(state: TournamentState, round: RoundState, results: Mapping[UUID, Result], now: datetime) -> Rows:
    """Once a table, whichever process was first; not of a board that is being played again."""
    boards = [board for board in state.rounds[round.stage, round.number].boards.values() if board.result is None]
    return [row for board in boards if board.table in results
            for row in with_next_game(state, round, board, results[board.table], now)]
