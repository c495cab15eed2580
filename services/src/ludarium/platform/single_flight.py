"""Reads that many ask for at once: after a gap a thousand spectators want the same page, and all audiences the same rows."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from ludarium.platform.background import ended
from ludarium.platform.metering import metered

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class SingleFlight(Generic[Key, Found]):
    """Equal reads that have not begun yet are one. One that has begun is never shared: it may be too old."""

    def __init__(self, read: Callable[[Key], Coroutine[Any, Any, Found]], at_once: int) -> None:
        """`at_once`: reads under way at the same time."""
        self._read = read
        self._gate = asyncio.Semaphore(at_once)
        self._waiting: dict[Key, asyncio.Task[Found]] = {}
        self._tasks: set[asyncio.Task[Found]] = set()

    async def get(self, key: Key) -> Found:
        """What `read` gives, or raises."""
        return await asyncio.shield(self._waiting.get(key) or self._begin(key))

    async def close(self) -> None:
        await ended(*self._tasks)

    def _begin(self, key: Key) -> asyncio.Task[Found]:
        task = self._waiting[key] = asyncio.create_task(self._run(key))
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Found]) -> None:
        """Whoever waits is told of a failure; if nobody does any more, it is no news."""
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    async def _run(self, key: Key) -> Found:
        async with self._gate:
            del self._waiting[key]
            return await metered(self._read(key))
