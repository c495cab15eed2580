"""Bots at tables, played by the process that commits the move before theirs.

A bot sees the view of its seat, and nothing else.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import islice
from uuid import UUID

from ludarium.bots.fair_queue import BotTable, FairQueue
from ludarium.bots.leases import Leases
from ludarium.bots.thinking import RNG_BYTES, UnknownData, answer, bot_question
from ludarium.platform import metrics
from ludarium.platform.background import background, endless
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.tables.model import decisions
from ludarium.tables.model.endings import stand_in
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody
from ludarium.tables.service import Tables
from ludarium_engine.kernel import seats_to_act
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)

AT_ONCE = 3
"""Maximum number of tables with a move in progress, so that a move is computed while others are committed."""
THINKING = 1
"""Number of processes that compute moves."""
NICE = 10
"""Niceness of these processes, so that people's requests take precedence."""
SECONDS = 10.0
"""Seconds of CPU time for one move."""
MOST_REFUSALS = 20
"""Refusals in a row at one table, after which its bots are given up."""
PAUSE = 0.5
"""Seconds until a bot tries again after a refusal."""
PATROL = 1.0
"""Seconds between two searches for abandoned bots."""
SOON = 0.25
"""Seconds between two searches if only this process plays bots for tables committed by other processes."""
MOST_TAKEN_UP = 100
"""Tables taken over in one search, so that the tables of a process that died are shared out."""
Asked = tuple[BotTable, int, int]
"""A bot that must act: its table, its seat, and the version at which its turn began."""
REFUSED = (Problem, StoreUnavailable, TimeoutError)


class Bots:
    """The tables at which this process has to act for bots."""

    def __init__(self, tables: Tables, leases: Leases) -> None:
        self._tables, self._leases = tables, leases
        self._queue = FairQueue()
        self._refusals: dict[UUID, int] = {}
        self._pool = Processes(THINKING, SECONDS, AT_ONCE, NICE)

    @property
    def waiting(self) -> int:
        """The number of tables in the queue."""
        return len(self._queue)

    async def on_commit(self, table: TableState) -> None:
        """Queue the table after a commit if one of its bots has to act."""
        if bots_asked(table):
            self.wake(BotTable(table.stream, table.opened.creator))

    def wake(self, table: BotTable) -> None:
        self._queue.put(table)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._close)
            for work in (self._leases.renew_forever, *(self._work for _ in range(AT_ONCE))):
                await stack.enter_async_context(background(endless(work)))
            yield

    async def _close(self) -> None:
        try:
            await self._leases.close()
        except Problem as problem:
            log.warning("leases of bots' tables run out by themselves: %s", problem)

    # --- tables of other processes ------------------------------------------------------------------------------------
    async def resume_left_tables(self, asked: Callable[[], Awaitable[Collection[Asked]]], *, at_once: bool) -> None:
        """Search for abandoned bots until cancelled, and take over their tables.

        A bot is abandoned if two searches in a row find it waiting for the same move. The first search takes over all waiting
        bots; with `at_once`, every search does.
        """
        before: set[Asked] | None = None
        while True:
            try:
                now = {*await asked()}
                await self.take_over({table.id: table for table, _, _ in (now if before is None else now & before)})
                before = None if at_once else now
            except (Problem, StoreUnavailable) as error:
                tried_again(log, "Bots that were left by others wait: %s", error)
            await asyncio.sleep(SOON if at_once else PATROL)

    async def take_over(self, left: Mapping[UUID, BotTable]) -> None:
        """Queue those of the tables whose lease is free, at most MOST_TAKEN_UP."""
        some = [*islice(left, MOST_TAKEN_UP)]
        for table in await self._leases.take(some) if some else ():
            self.wake(left[table])

    # --- answers ------------------------------------------------------------------------------------------------------
    async def _work(self) -> None:
        while True:
            table = await self._queue.next()
            with self._queue.turn(table):
                await self._turn(table)

    async def _turn(self, table: BotTable) -> None:
        """Compute and commit one move, if one is due and this process has the lease."""
        try:
            if table.id not in self._leases.held and not await self._leases.take([table.id]):
                self._later(table)
            elif await self._answer(table.id):
                self._refusals.pop(table.id, None)
                metrics.bot_answers.labels("ok").inc()
                self.wake(table)
            else:
                await self._leases.release(table.id)
        except REFUSED as error:
            self._refused(table, error)
        except Exception:
            log.exception("table %s: its bots fail", table.id)
            metrics.bot_answers.labels("internal").inc()
            self._give_up(table)

    def _refused(self, table: BotTable, error: Exception) -> None:
        metrics.bot_answers.labels(error.code if isinstance(error, Problem) else type(error).__name__).inc()
        refusals = self._refusals[table.id] = self._refusals.get(table.id, 0) + 1
        log.warning("table %s: a bot's answer was not taken: %s", table.id, error)
        if refusals < MOST_REFUSALS:
            self._later(table)
        else:
            self._give_up(table)

    def _give_up(self, table: BotTable) -> None:
        """Stop playing the table's bots until someone acts at the table.

        Another process may try once the lease has expired.
        """
        self._refusals.pop(table.id, None)
        self._leases.held.discard(table.id)

    def _later(self, table: BotTable) -> None:
        asyncio.get_running_loop().call_later(PAUSE, self.wake, table)

    async def _answer(self, stream: UUID) -> bool:
        """Compute and commit one bot's move, and return whether a move was due."""
        table = await self._tables.cache.fresh(stream)
        asked = bots_asked(table)
        if asked:
            action = await self._decide(table, asked[0])
            await self._tables.decide_and_append(stream, lambda t: decisions.stand_in_act(t, asked[0], action))
        return bool(asked)

    async def _decide(self, table: TableState, seat: int) -> ActionBody:
        bot = stand_in(table, seat)
        if bot is None:
            raise Problem("not-asked")
        luck = self._tables.entropy.draw(RNG_BYTES, "bot", table.opened.commitment, seat, table.version)
        asked = bot_question(table.title, bot, seat, table.playing, luck)
        try:
            offer, subset = await self._pool.run(answer, asked, None)
        except UnknownData:
            offer, subset = await self._pool.run(answer, asked, table.title.data)
        return ActionBody(offer, [*subset])


def bots_asked(table: TableState) -> list[int]:
    """Return the seats of bots and absent players that have to act."""
    if table.state is None or table.ended:
        return []
    return [seat for seat in seats_to_act(table.state) if stand_in(table, seat)]


@asynccontextmanager
async def playing(
    tables: Tables, database: Database, asked: Callable[[], Awaitable[Collection[Asked]]], *, at_once: bool = False
) -> AsyncIterator[Bots]:
    """Run this process's bots, and take over the abandoned bots of other processes.

    Args:
        asked: returns all bots that have to act, at all tables.
        at_once: take over all of them at once, because other processes commit but run no bots.
    """
    bots = Bots(tables, Leases(database))
    async with bots.running(), background(endless(partial(bots.resume_left_tables, asked, at_once=at_once))):
        yield bots
