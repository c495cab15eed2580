"""Responses computed from whole logs in a worker process, and cached briefly.

They are gzipped JSON. Most games are never requested again, so nothing is stored permanently.
"""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from cachetools import LRUCache

from ludarium.platform.metering import metered_call
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.tables.model import documents
from ludarium.tables.model.events import GameStarted
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.table_state import TableState
from ludarium.tables.table_cache import TableCache
from ludarium_engine import registry
from ludarium_eventstore import StoredEvent

CACHE_BYTES = 64 * 1024 * 1024
"""Maximum bytes of cached responses of one kind, about a thousand whole games."""
MAX_WAIT = 50.0
"""Seconds until a request is answered "not yet", less than the 60 s of nginx. The work continues, and a repeated request
waits for the same task.
"""
MAX_CPU_SECONDS = 120.0
"""Seconds of CPU time for one response, several times the need of a game with 20,000 events."""
MAX_WAITING = 50
GZIP_LEVEL = 6
"""A level that takes half the time of the highest one, for 3 % more bytes."""
Key = TypeVar("Key", bound=Hashable)
Query = TypeVar("Query")
encode = msgspec.json.Encoder().encode


def gzipped(answer: msgspec.Struct) -> bytes:
    return gzip.compress(encode(answer), GZIP_LEVEL, mtime=0)


class ResultCache(Generic[Key]):
    """A cache of results that never change; the least recently used are dropped."""

    def __init__(self) -> None:
        self._cache: LRUCache[Key, bytes] = LRUCache(CACHE_BYTES, getsizeof=len)
        self.in_progress: dict[Key, asyncio.Task[bytes]] = {}

    async def get(self, key: Key, make: Callable[[Key], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return a cached result, or compute it; equal concurrent requests share one task.

        Raises:
            Problem: `unavailable`, and the problems of `make`.
        """
        if (cached := self._cache.get(key)) is not None:
            return cached
        try:
            async with asyncio.timeout(MAX_WAIT):
                return await asyncio.shield(self.in_progress.get(key) or self._begin(key, make))
        except TimeoutError:
            raise Problem("unavailable", "It is being made.", retry_after=5) from None

    def _begin(self, key: Key, make: Callable[[Key], Coroutine[Any, Any, bytes]]) -> asyncio.Task[bytes]:
        in_progress = self.in_progress[key] = asyncio.create_task(metered_call(make, key))
        in_progress.add_done_callback(lambda task: self._store_result(key, task))
        return in_progress

    def _store_result(self, key: Key, task: asyncio.Task[bytes]) -> None:
        """Cache the result of a task.

        An error reaches the requests that wait for the task, and is ignored here.
        """
        del self.in_progress[key]
        if not task.cancelled() and not task.exception():
            self._cache[key] = task.result()


class FoldingContext(NamedTuple):
    """The data that another process needs to fold a table.

    They are the ruleset's data, and the documents that the table's events refer to.
    """

    ruleset: str
    data: bytes
    layouts: list[bytes]
    zones: list[bytes]

    @classmethod
    def by(cls, table: TableState, rows: Sequence[LogEntry]) -> FoldingContext:
        layouts = [documents.layout_document(hash_) for _, hash_ in table.layouts]
        zones = [documents.zones(entry.event.zones) for entry in rows if isinstance(entry.event, GameStarted)]
        return cls(table.opened.ruleset, table.title.data, layouts, zones)

    def provide(self) -> None:
        registry.provide(self.ruleset, self.data)
        documents.keep(self.layouts, self.zones)


class ReplayWorker:
    """A single process that folds whole logs, so that other cores stay free for games."""

    def __init__(self, cache: TableCache) -> None:
        self.cache = cache
        self._processes = Processes(1, MAX_CPU_SECONDS, MAX_WAITING)

    async def start(self, load: Callable[[], None]) -> None:
        """Start the process and call `load` there to import the modules that it will need.

        Raises:
            TimeoutError, WorkerDied: the process did not start.
        """
        await self._processes.run(load)

    async def run(
        self, work: Callable[[Query, Sequence[StoredEvent], FoldingContext], bytes], query: Query, table_state: TableState
    ) -> bytes:
        """Run `work` in the process with the query, the log and the data for folding.

        Raises:
            Problem: `log-damaged`, `unavailable`.
        """
        table: UUID = table_state.stream
        stored, rows = await self.cache.stored_events(table, self.cache.lookback)
        arguments: tuple[Any, ...] = (query, stored, FoldingContext.by(table_state, rows))
        try:
            return await self._processes.run(work, *arguments)
        except TimeoutError as error:
            raise Problem("unavailable", "The replay takes too long.", retry_after=5) from error
