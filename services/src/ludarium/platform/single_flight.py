"""Share reads of data that many callers need at the same time.

After an outage, for example, many spectators need the same page, and all audiences of a table need the same events.
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

    Reads in progress are not shared, because their result may be outdated for a new caller.
    """

    def __init__(self, read: Callable[[Key], Coroutine[Any, Any, Found]], at_once: int) -> None:
        """Configure the reads.

        Args:
            read: reads the data for a key.
            at_once: the maximum number of concurrent reads.
        """
        self._read = read
        self._gate = asyncio.Semaphore(at_once)
        self._waiting: dict[Key, asyncio.Task[Found]] = {}
        self._tasks: set[asyncio.Task[Found]] = set()

    async def get(self, key: Key) -> Found:
        """Return the result of `read` for this key, or raise its error."""
        return await asyncio.shield(self._waiting.get(key) or self._begin(key))

    async def close(self) -> None:
        await ended(*self._tasks)

    def _begin(self, key: Key) -> asyncio.Task[Found]:
        task = self._waiting[key] = asyncio.create_task(self._run(key))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Found]) -> None:
        """Mark an error as retrieved, in case no caller is waiting any more."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _run(self, key: Key) -> Found:
        async with self._gate:
            del self._waiting[key]
            return await metered(self._read(key))
