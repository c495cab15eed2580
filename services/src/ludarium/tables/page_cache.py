"""Events as audiences read them, encoded once: after a restart a thousand spectators come back for the same ones."""
from __future__ import annotations

from typing import NamedTuple
from uuid import UUID
from weakref import ref

import msgspec
from cachetools import LRUCache

from ludarium.platform import metrics
from ludarium.tables.model.access import is_delayed
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables

PAGE = 200
"""Events that are read at a time."""
KEPT = 32 * 1024 * 1024
"""Bytes of pages in memory."""
OVERHEAD = 128
"""Bytes that an event takes beside its own, for its head as well."""
_encode = msgspec.json.Encoder().encode

Key = tuple[UUID, int, bytes, int]
"""Table, audience, the hash of the data by which its facts are told, and which of the table's pages."""


class EncodedEvents(NamedTuple):
    """Events, and their heads behind that of the event before them ("" before the first, None where the log has none)."""

    heads: list[str | None]
    events: list[bytes]


class Page(NamedTuple):
    """of: the table in memory when it was encoded. The log may lose events only in a way that makes it another one."""

    stretch: EncodedEvents
    of: ref[TableState]


class PageCache:
    """A page that the log has gone beyond never changes; only the newest event comes with a view."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: LRUCache[Key, Page] = LRUCache(KEPT, lambda page: size_of(page.stretch.events))

    async def read(self, stream: UUID, audience: int, after: int) -> EncodedEvents:
        """The events behind `after`, at least PAGE of them where there are as many. Raises Problem `future-sequence`."""
        part = await self._part(stream, audience, after)
        behind = after + len(part.events)
        if not 0 < len(part.events) < PAGE or (behind + 1) % PAGE:
            return part
        more = await self._part(stream, audience, behind)
        if more.heads[0] != part.heads[-1]:     # lost in between
            return part
        return EncodedEvents(part.heads + more.heads[1:], part.events + more.events)

    async def _part(self, stream: UUID, audience: int, after: int) -> EncodedEvents:
        """Up to the end of a page, or of the log."""
        nth, skipped = divmod(after + 1, PAGE)
        table = await self._tables.cache.load(stream)
        if table.version < (nth + 1) * PAGE or is_delayed(table, audience):
            return await self._encoded(stream, audience, after)
        key = stream, audience, table.title.data_hash, nth
        page = self._kept.get(key)
        if page is not None and page.of() is table:
            metrics.pages_hit.inc()
        else:
            metrics.pages_missed.inc()
            page = self._kept[key] = Page(await self._encoded(stream, audience, nth * PAGE - 1), ref(table))
        return EncodedEvents(page.stretch.heads[skipped:], page.stretch.events[skipped:])

    async def _encoded(self, stream: UUID, audience: int, after: int) -> EncodedEvents:
        head, events = await self._tables.queries.events_with_head(stream, audience, after, PAGE)
        return EncodedEvents([head, *(event.head for event in events)], [*map(_encode, events)])


def size_of(page: list[bytes]) -> int:
    return sum(map(len, page)) + OVERHEAD * len(page)
