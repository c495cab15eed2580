"""Tables in memory: always a fold of the log, which is asked again whenever somebody wants a table as it is now."""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from eventstore import EventStore, StoredEvent
from services.problems import Problem
from services.tables.data import provide, provide_for
from services.tables.history import Damaged, Entry, History, entries, folded
from services.tables.rows import Undone

log = logging.getLogger(__name__)
MOST = 10_000                                   # tables kept


class HotTables:
    """The tables that a process knows, the least recently used forgotten first."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.tables: OrderedDict[UUID, History] = OrderedDict()
        self.locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def load(self, table: UUID) -> History:
        """The table as this process knows it; folded from the log, its chain checked, if it does not know it."""
        if table in self.tables:
            self.tables.move_to_end(table)
            return self.tables[table]
        rows = await self.rows(table)
        return self.keep(self.past(table, rows, rows[-1].version))

    async def fresh(self, table: UUID) -> History:
        """The table as the log has it now."""
        await self.catch_up(await self.load(table))
        return await self.load(table)

    async def catch_up(self, history: History) -> bool:
        """Take in what other processes appended; whether there was anything."""
        after = history.version
        tail = self.read(await self.store.read(history.stream, after=after), after + 1)
        await provide(self.store.document, history.opened.ruleset, tail)
        if any(isinstance(entry.row, Undone) for entry in tail):
            self.forget(history.stream)
        else:
            self.take_in(history, tail, check=True)
        return bool(tail)

    def take_in(self, history: History, rows: Sequence[Entry], *, check: bool) -> None:
        """Rows that are in the log now; somebody else in this process may have taken them in before."""
        for entry in rows:
            if entry.version == history.version + 1:
                if check:
                    self.check(history, entry)
                history.add(entry)

    def check(self, history: History, entry: Entry) -> None:
        try:
            history.check(entry)
        except Damaged as damage:
            raise self.damaged(damage) from damage

    async def rows(self, table: UUID) -> list[Entry]:
        """The whole log of a table. Raises Problem `not-found`."""
        stored = await self.store.read(table)
        if not stored:
            raise Problem("not-found")
        rows = self.read(stored)
        await provide_for(self.store.document, rows)
        return rows

    def read(self, stored: Iterable[StoredEvent], first: int = 0) -> list[Entry]:
        try:
            return entries(stored, first)
        except Damaged as damage:
            raise self.damaged(damage) from damage

    def past(self, table: UUID, rows: Sequence[Entry], version: int) -> History:
        """The table as it was after `version`."""
        try:
            return folded(table, rows, upto=version)
        except Damaged as damage:
            raise self.damaged(damage) from damage

    def damaged(self, damage: Damaged) -> Problem:
        """The table goes no further; its operator is told which row it is."""
        log.error("damaged log: %s", damage)
        self.forget(damage.stream)
        return Problem("log-damaged", f"version {damage.version}")

    def keep(self, history: History) -> History:
        self.tables[history.stream] = history
        while len(self.tables) > MOST:
            self.tables.popitem(last=False)
        return history

    def forget(self, table: UUID) -> None:
        self.tables.pop(table, None)

    @asynccontextmanager
    async def lock(self, table: UUID) -> AsyncIterator[None]:
        """One command of a table at a time in this process; the store's version check does the rest."""
        lock = self.locks.get(table) or self.locks.setdefault(table, asyncio.Lock())
        async with lock:
            yield
