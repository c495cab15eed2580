"""Long work in threads, so that the event loop can go on serving."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem

SHORT = 100
"""Events that are processed at once: handing them over would cost more."""
AT_ONCE = 2
"""Threads: they share one interpreter, so more would not help."""
T = TypeVar("T")


class Workers:
    """A queue of long work: reading a log, then processing it in a thread."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int | None = None) -> None:
        """Set the limits.

        Args:
            at_once: threads that work at the same time, and as many reads.
            most_waiting: maximum number of waiting tasks; more are refused. By default there is no limit.
        """
        self._threads, self._reads = asyncio.Semaphore(at_once), asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self.waiting = 0

    async def read(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read a log when its turn comes, sparing the database connections.

        Raises:
            Problem: `unavailable` if too many tasks are waiting.
        """
        if self._most_waiting is not None and self.waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        await self._enter(self._reads)
        try:
            return await read()
        finally:
            self._reads.release()

    async def run(self, events: int, work: Callable[[], T]) -> T:
        """Return the result of `work`, which processes this many events.

        It must not touch anything that the event loop changes in the meantime.
        """
        if events <= SHORT:
            return work()
        await self._enter(self._threads)
        try:
            return await in_thread(work)
        finally:
            self._threads.release()

    async def _enter(self, room: asyncio.Semaphore) -> None:
        self.waiting += 1
        try:
            await room.acquire()
        finally:
            self.waiting -= 1
