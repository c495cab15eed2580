"""Bots at tables: a process that commits what they answer to has them think, on what their seat sees and nothing else."""
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
"""Tables whose bots' answers are under way at the same time: one is thought, others are committed."""
THINKING = 1
"""Processes that think."""
NICE = 10
"""Niceness of these processes: people wait for the others."""
SECONDS = 10.0
"""Of CPU time, for one answer."""
MOST_REFUSALS = 20
"""One after the other, of one table's bots, until they are given up."""
PAUSE = 0.5
"""Seconds until a bot tries again what the service could not take."""
PATROL = 1.0
"""Seconds between two looks for bots that nobody lets play."""
SOON = 0.25
"""The same, where nobody but this process plays what is committed elsewhere."""
MOST_TAKEN_UP = 100
"""Tables at one look: what a process that died has left is shared out among all others."""
Asked = tuple[BotTable, int, int]
"""A bot that owes an answer: its table, its seat, and the version since which."""
REFUSED = (Problem, StoreUnavailable, TimeoutError)


class Bots:
    """The tables at which bots owe an answer to this process."""

    def __init__(self, tables: Tables, leases: Leases) -> None:
        self._tables, self._leases = tables, leases
        self._queue = FairQueue()
        self._refusals: dict[UUID, int] = {}
        self._pool = Processes(THINKING, SECONDS, AT_ONCE, NICE)

    @property
    def waiting(self) -> int:
        """Tables in the line."""
        return len(self._queue)

    async def on_commit(self, table: TableState) -> None:
        """After a commit: somebody may be asked who is a bot."""
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

    # --- what others have left ----------------------------------------------------------------------------------------
    async def resume_left_tables(self, asked: Callable[[], Awaitable[Collection[Asked]]], *, at_once: bool) -> None:
        """Until cancelled: take up bots that still owe the same answer at the next look, and at first, or `at_once`, all."""
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
        """Those of the tables whose bots no process plays."""
        some = [*islice(left, MOST_TAKEN_UP)]
        for table in await self._leases.take(some) if some else ():
            self.wake(left[table])

    # --- one answer after the other -----------------------------------------------------------------------------------
    async def _work(self) -> None:
        while True:
            table = await self._queue.next()
            with self._queue.turn(table):
                await self._turn(table)

    async def _turn(self, table: BotTable) -> None:
        """One answer, if the table is this process's and one of its bots owes one."""
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
        """Here, until somebody acts at the table; another process may have more luck when the lease has run out."""
        self._refusals.pop(table.id, None)
        self._leases.held.discard(table.id)

    def _later(self, table: BotTable) -> None:
        asyncio.get_running_loop().call_later(PAUSE, self.wake, table)

    async def _answer(self, stream: UUID) -> bool:
        """One answer of one bot; False if none is owed."""
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
    """The seats that owe an answer, and are a bot's or stood in for."""
    if table.state is None or table.ended:
        return []
    return [seat for seat in seats_to_act(table.state) if stand_in(table, seat)]


@asynccontextmanager
async def playing(
    tables: Tables, database: Database, asked: Callable[[], Awaitable[Collection[Asked]]], *, at_once: bool = False
) -> AsyncIterator[Bots]:
    """The bots of this process, and its look after those that another one has left thinking.

    at_once: it plays for processes that commit and have no bots themselves.
    """
    bots = Bots(tables, Leases(database))
    async with bots.running(), background(endless(partial(bots.resume_left_tables, asked, at_once=at_once))):
        yield bots
