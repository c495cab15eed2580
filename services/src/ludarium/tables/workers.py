"""Long work beside the event loop, which meanwhile answers everybody else."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem

SHORT = 100
"""Events that are worked through at once: less work than handing it over."""
AT_ONCE = 2
"""Threads that work: they share one interpreter, more of them would only get in each other's way."""
T = TypeVar("T")


class Workers:
    """A queue of long work: first a log is read, then threads go through it."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int | None = None) -> None:
        """Set the limits.

        Args:
            at_once: threads that work at the same time, and as many reads.
            most_waiting: pieces of work that may wait; then no further one is begun. By default any number may.
        """
        self._threads, self._reads = asyncio.Semaphore(at_once), asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self.waiting = 0

    async def read(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read a log, in turn: many reads at once would leave no database connection to others.

        Raises Problem `unavailable` if too much work is waiting already.
        """
        if self._most_waiting is not None and self.waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        await self._enter(self._reads)
        try:
            return await read()
        finally:
            self._reads.release()

    async def run(self, events: int, work: Callable[[], T]) -> T:
        """Return what `work` gives, which goes through so many events and touches nothing that the loop changes meanwhile."""
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
