"""A worker that starts games, records results and continues rounds.

Each process with a worker handles all running tournaments; one process is enough.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from uuid import UUID

from ludarium.platform.complaints import tried_again
from ludarium.platform.problems import Problem
from ludarium.tables.model.access import is_arranged
from ludarium.tables.model.table_state import TableState
from ludarium.tournaments.rounds import Rounds
from ludarium.tournaments.state import TournamentState
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)
Running = Callable[[], Awaitable[Sequence[UUID]]]
PAUSE = 1.0
"""Seconds between two checks, if nothing has happened in this process."""
LEAST_PAUSE = 0.02
"""Minimum seconds between two checks."""


class RoundWorker:
    def __init__(self, rounds: Rounds, running: Running) -> None:
        """Initialize the worker.

        Args:
            running: returns the tournaments with a published round that is not closed.
        """
        self.rounds, self.list_running = rounds, running
        self.wake = asyncio.Event()
        self.published_here: set[UUID] = set()            # published in this process, perhaps before the list shows it
        self.done: set[UUID] = set()            # over, with nothing left to do

    async def after_table_commit(self, table: TableState) -> None:
        """Wake the worker after a tournament's game has ended in this process."""
        if is_arranged(table):
            self.wake.set()

    def after_commit(self, state: TournamentState) -> None:
        """Wake the worker after a round was published in this process."""
        if state.current and state.current.published:
            self.published_here.add(state.stream)
            self.wake.set()

    async def run(self) -> None:
        """Process running tournaments until cancelled."""
        while True:
            self.wake.clear()
            try:
                await self.process_all()
            except (Problem, StoreUnavailable) as problem:
                tried_again(log, "tournaments wait: %s", problem)
            await asyncio.sleep(LEAST_PAUSE)
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE):
                    await self.wake.wait()

    async def process_all(self) -> None:
        """Process all running tournaments; a failure in one does not affect the others."""
        for stream in {*await self.list_running(), *self.published_here} - self.done:
            try:
                await self.process(stream)
            except Problem as problem:
                log.warning("tournament %s waits: %s", stream, problem)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("tournament %s waits", stream)

    async def process(self, stream: UUID) -> None:
        waits = await self.rounds.process(stream)
        if not waits:
            self.published_here.discard(stream)
        if not waits and (await self.rounds.tournaments.fresh(stream)).is_over:
            self.done.add(stream)
