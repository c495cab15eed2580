"""Bots at tables: run by the process that committed what they answer to, on what their seat sees and nothing else."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Set
from random import SystemRandom
from uuid import UUID

from engine.bots import bots
from engine.kernel import seats_to_act
from engine.kernel.describe import described_choice, described_view
from eventstore import StoreUnavailable
from services.background import ended
from services.problems import Problem
from services.tables.bodies import ActionBody
from services.tables.history import History
from services.tables.tables import Tables

log = logging.getLogger(__name__)

AT_ONCE = 32
"""Tables at which bots of this process think at the same time."""
MOST_REFUSALS = 20
"""One after the other, of one table's bots, until they are given up."""
PAUSE = 0.5
"""Seconds until a bot tries again what the service could not take."""
PATROL = 3.0
"""Seconds between two looks for bots that nobody lets play."""
Asked = tuple[UUID, int, int]
"""A bot that owes an answer: its table, its seat, and the version since which."""


class Bots:
    """A task for each table at which a bot owes an answer."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._playing: dict[UUID, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._luck = SystemRandom()

    async def follow(self, history: History) -> None:
        """After a commit: somebody may be asked who is a bot."""
        if bots_asked(history):
            self.wake(history.stream)

    def wake(self, table: UUID) -> None:
        if table not in self._playing:
            self._playing[table] = asyncio.create_task(self._play(table))

    async def sweep(self, tables: Iterable[UUID]) -> None:
        """Wake those whom a process that died left thinking."""
        for table in tables:
            try:
                await self.follow(await self._tables.hot.fresh(table))
            except (Problem, StoreUnavailable) as problem:
                log.error("No bot plays on at table %s: %s", table, problem)

    async def patrol(self, asked: Callable[[], Awaitable[Set[Asked]]]) -> None:
        """Until cancelled: take up bots that still owe the same answer at the next look, and at first all of them."""
        before: Set[Asked] | None = None
        while True:
            try:
                now = await asked()
                await self.sweep({table for table, _, _ in (now if before is None else now & before)})
                before = now
            except (Problem, StoreUnavailable) as error:
                log.warning("Bots that were left by others wait: %s", error)
            await asyncio.sleep(PATROL)

    async def stop(self) -> None:
        await ended(*self._playing.values())

    async def _play(self, table: UUID) -> None:
        try:
            await self._answer_all(table)
        finally:                                # in the same step as the last look at the table: no wake is lost
            del self._playing[table]

    async def _answer_all(self, table: UUID) -> None:
        """Until no bot owes an answer, or until they have been refused too often."""
        refusals, owing = 0, True
        while owing and refusals < MOST_REFUSALS:
            try:
                owing, refusals = await self._answer(table), 0
            except (Problem, StoreUnavailable) as error:
                log.warning("Table %s: a bot's answer was not taken: %s", table, error)
                refusals += 1
                await asyncio.sleep(PAUSE)

    async def _answer(self, table: UUID) -> bool:
        """One answer of one bot; False if none is owed."""
        history = await self._tables.hot.fresh(table)
        asked = bots_asked(history)
        if asked:
            async with self._room:
                await self._tables.bot_command(table, asked[0], self._chosen(history, asked[0]))
        return bool(asked)

    def _chosen(self, history: History, seat: int) -> ActionBody:
        state, seated = history.playing, history.seats[seat]
        choice = described_choice(history.title, state, seat)
        if choice is None or seated is None or seated.bot is None:
            raise Problem("not-asked")
        play = bots(history.title)[seated.bot]
        offer, subset = play(seat, described_view(history.title, state, seat), choice, self._luck)
        return ActionBody(offer, [*subset])


def bots_asked(history: History) -> list[int]:
    """The seats of bots that owe an answer."""
    if history.state is None:
        return []
    return [seat for seat in seats_to_act(history.state) if (sat := history.seats[seat]) and sat.bot]
