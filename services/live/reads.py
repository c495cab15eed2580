"""The way to the log, shared by all feeds of a process: after a gap a thousand spectators ask for the same page."""

import asyncio

from services.background import ended
from services.live.ports import Audience, Log

AT_ONCE = 8
"""Reads under way at the same time."""

Key = tuple[str, Audience, int]


class Reads:
    """Equal reads that have not begun yet are one. One that has begun is never shared: it may be too old."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._waiting: dict[Key, asyncio.Task[list[bytes]]] = {}
        self._tasks: set[asyncio.Task[list[bytes]]] = set()

    async def missed(self, table: str, audience: Audience, after: int) -> list[bytes]:
        """As Log.missed."""
        key = table, audience, after
        return await asyncio.shield(self._waiting.get(key) or self._begin(key))

    async def close(self) -> None:
        await ended(*self._tasks)

    def _begin(self, key: Key) -> asyncio.Task[list[bytes]]:
        read = self._waiting[key] = asyncio.create_task(self._read(key))
        self._tasks.add(read)
        read.add_done_callback(self._done)
        return read

    def _done(self, read: asyncio.Task[list[bytes]]) -> None:
        """Whoever waits is told of a failure; if nobody does any more, it is no news."""
        self._tasks.discard(read)
        if not read.cancelled():
            read.exception()

    async def _read(self, key: Key) -> list[bytes]:
        async with self._gate:
            del self._waiting[key]
            return await self._log.missed(*key)
