"""What is made of whole logs when somebody asks, in a process beside this one; kept as it is sent, gzipped, as long as there
is room. Most games are never looked at again."""
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

ROOM = 64 * 1024 * 1024
"""Bytes of answers of one kind that a process keeps: about a thousand whole games."""
PATIENCE = 50.0
"""Seconds until a request is answered "not yet", before a proxy gives up: nginx waits 60 s. The work goes on, and the client
that asks again waits for the same piece of work."""
LONGEST = 120.0
"""Seconds of CPU time for one answer: several times what a game of 20,000 events takes."""
MOST_WAITING = 50
LEVEL = 6
"""Of gzip: half the time of the highest, and 3 % more bytes."""
Key = TypeVar("Key", bound=Hashable)
Query = TypeVar("Query")
encode = msgspec.json.Encoder().encode


def gzipped(answer: msgspec.Struct) -> bytes:
    return gzip.compress(encode(answer), LEVEL, mtime=0)


class ResultCache(Generic[Key]):
    """Answers that hold for ever, the least recently wanted forgotten first."""

    def __init__(self) -> None:
        self._kept: LRUCache[Key, bytes] = LRUCache(ROOM, getsizeof=len)
        self.making: dict[Key, asyncio.Task[bytes]] = {}

    async def get(self, key: Key, make: Callable[[Key], Coroutine[Any, Any, bytes]]) -> bytes:
        """Return the kept answer, or make it. Equal requests at the same time share one piece of work.

        Raises Problem `unavailable`, and what `make` does.
        """
        if (cached := self._kept.get(key)) is not None:
            return cached
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self.making.get(key) or self._begin(key, make))
        except TimeoutError:
            raise Problem("unavailable", "It is being made.", retry_after=5) from None

    def _begin(self, key: Key, make: Callable[[Key], Coroutine[Any, Any, bytes]]) -> asyncio.Task[bytes]:
        making = self.making[key] = asyncio.create_task(metered_call(make, key))
        making.add_done_callback(lambda task: self._ended(key, task))
        return making

    def _ended(self, key: Key, task: asyncio.Task[bytes]) -> None:
        """Whoever waits is told of a failure; if nobody does any more, it is no news."""
        del self.making[key]
        if not task.cancelled() and not task.exception():
            self._kept[key] = task.result()


class FoldingContext(NamedTuple):
    """What another process must have to fold a table: its ruleset's data, and the documents that its rows name."""

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
    """The process in which logs are walked through: one, so that what plays goes before what is looked back at."""

    def __init__(self, cache: TableCache) -> None:
        self.cache = cache
        self._processes = Processes(1, LONGEST, MOST_WAITING)

    async def start(self, load: Callable[[], None]) -> None:
        """Start the process and call a function there that imports what later work needs. Raises TimeoutError, WorkerDied."""
        await self._processes.run(load)

    async def run(
        self, work: Callable[[Query, Sequence[StoredEvent], FoldingContext], bytes], query: Query, table_state: TableState
    ) -> bytes:
        """work: a function of some module, of a query, the log and what folding it needs.

        Raises Problem `log-damaged`, `unavailable`.
        """
        table: UUID = table_state.stream
        stored, rows = await self.cache.stored_events(table, self.cache.lookback)
        arguments: tuple[Any, ...] = (query, stored, FoldingContext.by(table_state, rows))
        try:
            return await self._processes.run(work, *arguments)
        except TimeoutError as error:
            raise Problem("unavailable", "The replay takes too long.", retry_after=5) from error
