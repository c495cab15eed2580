"""Bots at tables: run by the process that committed what they answer to, on what their seat sees and nothing else."""

import asyncio
import logging
from collections.abc import Iterable
from random import SystemRandom
from uuid import UUID

from engine.bots import bots
from engine.kernel import seats_to_act
from engine.kernel.describe import described_choice, described_view
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
PASSING = ("busy", "unavailable")


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
            async with self._room:
                if bots_asked(await self._tables.hot.fresh(table)):
                    self.wake(table)

    async def stop(self) -> None:
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, table: UUID) -> None:
        try:
            refusals = 0
            while refusals < MOST_REFUSALS and (asked := bots_asked(history := await self._tables.hot.fresh(table))):
                async with self._room:
                    refusals = 0 if await self._answer(history, asked[0]) else refusals + 1
        except Problem as problem:
            log.error("No bot plays on at table %s: %s", table, problem)
        finally:
            del self._playing[table]

    async def _answer(self, history: History, seat: int) -> bool:
        """One answer of one bot; whether it was taken. If the table has moved on, the next look at it tells."""
        try:
            await self._tables.bot_command(history.stream, seat, self._chosen(history, seat))
        except Problem as problem:
            log.info("Table %s, seat %s: %s", history.stream, seat, problem)
            await asyncio.sleep(PAUSE if problem.code in PASSING else 0)
            return False
        return True

    def _chosen(self, history: History, seat: int) -> ActionBody:
        state, seated = history.playing, history.seats[seat]
        choice = described_choice(history.title, state, seat)
        if choice is None or seated is None or seated.bot is None:
            raise Problem("not-asked")
        play = bots(history.title.id)[seated.bot]
        offer, subset = play(seat, described_view(history.title, state, seat), choice, self._luck)
        return ActionBody(offer, [*subset])


def bots_asked(history: History) -> list[int]:
    """The seats of bots that owe an answer."""
    if history.state is None:
        return []
    return [seat for seat in seats_to_act(history.state) if (sat := history.seats[seat]) and sat.bot]
