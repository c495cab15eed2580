"""Run long work in threads, so that it does not block the event loop."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem

SHORT = 100
"""Maximum number of events processed on the event loop, since starting a thread would take longer."""
AT_ONCE = 2
"""Number of threads. More would not help, since all threads share one interpreter."""
T = TypeVar("T")


class Workers:
    """A queue for long work, which reads a log and then processes it in a thread."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int | None = None) -> None:
        """Set the limits.

        Args:
            at_once: maximum number of threads, and maximum number of simultaneous reads.
            most_waiting: maximum number of waiting tasks; more are refused. By default there is no limit.
        """
        self._threads, self._reads = asyncio.Semaphore(at_once), asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self.waiting = 0

    async def read(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read a log, waiting while too many other reads use database connections.

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

        It may run in a thread, so it must not use objects that the event loop changes in the meantime.
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
