"""Show delayed spectators a game as it was some events or seconds ago."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from cachetools import LRUCache

from ludarium.tables.model.access import is_delayed
from ludarium.tables.model.events import GameStarted, Undone
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.policies import Spectators
from ludarium.tables.model.table_state import TableState
from ludarium.tables.table_cache import TableCache

MOST = 1000                                     # tables whose past state is cached


def visible_version(delay: Spectators, events: Sequence[LogEntry], now: datetime) -> int:
    """Return the version that delayed spectators see. The set-up is visible at once."""
    start = next(entry.version for entry in events if isinstance(entry.event, GameStarted))
    version = max(start, len(events) - 1 - delay.events)
    while version > start and events[version].at > now - timedelta(seconds=delay.seconds):
        version -= 1
    return version


class DelayedTable:
    """A table's events, and the state that delayed spectators saw last."""

    def __init__(self, shown: TableState, events: list[LogEntry]) -> None:
        self.shown, self.rows = shown, events


class DelayedTables:
    """Cache of tables that are watched with a delay."""

    def __init__(self, cache: TableCache, now: Callable[[], datetime]) -> None:
        self.cache, self.now = cache, now
        self.kept: LRUCache[UUID, DelayedTable] = LRUCache(MOST)

    async def visible(self, table: TableState, audience: int) -> TableState:
        """Return the table as the audience may see it now."""
        if not is_delayed(table, audience):
            return table
        stream, kept = table.stream, self.kept.get(table.stream)
        tail = await self.events_since(kept) if kept else None
        if kept is None or tail is None:
            kept, tail = DelayedTable(table, []), await self.cache.events(stream)
        events = [*kept.rows, *tail]
        shown = await self.advanced(kept, events, visible_version(table.policies.spectators, events, self.now()))
        self.kept[stream] = DelayedTable(shown, events)
        return shown

    async def events_since(self, kept: DelayedTable) -> list[LogEntry] | None:
        """Return the events after the cached ones.

        Returns:
            None if the log has lost the last cached event.
        """
        last = kept.rows[-1]
        events = self.cache.read(await self.cache.store.read(kept.shown.stream, after=last.version - 1), last.version)
        return events[1:] if events and events[0].hash == last.hash else None

    async def advanced(self, kept: DelayedTable, events: Sequence[LogEntry], version: int) -> TableState:
        """Return the state at `version`.

        If that is earlier than the state shown last, because the clock was set back, the state shown last is returned.
        """
        new = events[kept.shown.version + 1 : version + 1]
        if not kept.rows or any(isinstance(entry.event, Undone) for entry in new):
            return await self.cache.state_at(kept.shown.stream, events, version)
        self.cache.apply(kept.shown, new, check=False)
        return kept.shown
