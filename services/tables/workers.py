"""Long work beside the event loop, which meanwhile answers everybody else."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from services.metering import in_thread
from services.problems import Problem

SHORT = 100
"""Rows that are worked through at once: less work than handing it over."""
AT_ONCE = 2
"""Threads that work: they share one interpreter, more of them would only get in each other's way."""
T = TypeVar("T")


class Workers:
    """A queue of long work, done in threads."""

    def __init__(self, at_once: int = AT_ONCE, most_waiting: int | None = None) -> None:
        """Set the limits.

        Args:
            at_once: threads that work at the same time.
            most_waiting: pieces of work that may wait for a thread; further ones are refused. By default any number may.
        """
        self._room, self._most_waiting = asyncio.Semaphore(at_once), most_waiting
        self.waiting = 0

    async def run(self, rows: int, work: Callable[[], T]) -> T:
        """Return what `work` gives, which goes through so many rows and touches nothing that the loop changes meanwhile.

        Raises Problem `unavailable` if too much work is waiting already.
        """
        if rows <= SHORT:
            return work()
        await self._enter()
        try:
            return await in_thread(work)
        finally:
            self._room.release()

    async def _enter(self) -> None:
        if self._most_waiting is not None and self.waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        self.waiting += 1
        try:
            await self._room.acquire()
        finally:
            self.waiting -= 1
