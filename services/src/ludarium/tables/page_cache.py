"""Cache of encoded pages of events.

After a restart, many spectators request the same pages at once.
"""
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
"""Events in a page."""
KEPT = 32 * 1024 * 1024
"""Bytes of cached pages."""
OVERHEAD = 128
"""Bytes that an event needs in the cache in addition to its JSON, including its head."""
_encode = msgspec.json.Encoder().encode

Key = tuple[UUID, int, bytes, int]
"""Key of a page: the table, the audience, the hash of the title's data, and the page number."""


class EncodedEvents(NamedTuple):
    """Consecutive events as JSON.

    Attributes:
        heads: the head of the event before these ("" if these begin with the first, None if the log has no such event),
            followed by the head of each of these events.
        events: the JSON of each event.
    """

    heads: list[str | None]
    events: list[bytes]


class Page(NamedTuple):
    """A cached page.

    Attributes:
        stretch: the page's events.
        of: the table from which the page was encoded. After a loss of events, the table is loaded as a new object, so
            the page is no longer used.
    """

    stretch: EncodedEvents
    of: ref[TableState]


class PageCache:
    """Caches complete pages.

    A complete page never changes: only the table's newest event includes a view, and that event is never cached.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: LRUCache[Key, Page] = LRUCache(KEPT, lambda page: size_of(page.stretch.events))

    async def read(self, stream: UUID, audience: int, after: int) -> EncodedEvents:
        """Return the events after `after`: at least PAGE events, unless there are fewer."""
        part = await self._part(stream, audience, after)
        behind = after + len(part.events)
        if not 0 < len(part.events) < PAGE or (behind + 1) % PAGE:
            return part
        more = await self._part(stream, audience, behind)
        if more.heads[0] != part.heads[-1]:     # events were lost in between
            return part
        return EncodedEvents(part.heads + more.heads[1:], part.events + more.events)

    async def _part(self, stream: UUID, audience: int, after: int) -> EncodedEvents:
        """Return the events after `after` up to the end of that page or of the log."""
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
