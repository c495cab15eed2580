"""Shared reads of data that many callers need at once.

After an outage, many spectators need the same page, and all audiences the same rows.
"""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from ludarium.platform.background import ended
from ludarium.platform.metering import metered

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class SingleFlight(Generic[Key, Found]):
    """Combines equal reads that have not begun yet.

    Reads in progress are not shared: they may be too old.
    """

    def __init__(self, read: Callable[[Key], Coroutine[Any, Any, Found]], at_once: int) -> None:
        """Configure the reads.

        Args:
            at_once: concurrent reads.
        """
        self._read = read
        self._gate = asyncio.Semaphore(at_once)
        self._waiting: dict[Key, asyncio.Task[Found]] = {}
        self._tasks: set[asyncio.Task[Found]] = set()

    async def get(self, key: Key) -> Found:
        """Return or raise what `read` does."""
        return await asyncio.shield(self._waiting.get(key) or self._begin(key))

    async def close(self) -> None:
        await ended(*self._tasks)

    def _begin(self, key: Key) -> asyncio.Task[Found]:
        task = self._waiting[key] = asyncio.create_task(self._run(key))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Found]) -> None:
        """Mark a failure as handled, in case no caller is waiting any more."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _run(self, key: Key) -> Found:
        async with self._gate:
            del self._waiting[key]
            return await metered(self._read(key))
