"""Cache of tables in memory, folded from the log.

Whenever the current state of a table is needed, the cached table is updated from the log.
"""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from ludarium.clocks.clocks import Clocks
from ludarium.platform import metrics
from ludarium.platform.problems import Problem
from ludarium.platform.single_flight import SingleFlight
from ludarium.tables import snapshots
from ludarium.tables.model.documents import provide, provide_for, provide_layouts
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent
from ludarium.tables.model.events import Undone
from ludarium.tables.model.folding import empty_table, fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, NewerRelease, NoTable, decoded_entries, head_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.replicated_events import command_entry, unpacked
from ludarium.tables.snapshots import Snapshots, resume, revision
from ludarium.tables.workers import SHORT, Workers
from ludarium_eventstore import BrokenBundle, EventStore, StoredEvent

log = logging.getLogger(__name__)
T = TypeVar("T")
MOST_TABLES = 10_000                                   # in the cache
PATIENCE = 60                                   # seconds after which to retry, perhaps at another process
LOADS = 8                                       # uncached tables that are read at a time
TAILS = 8                                       # cached tables whose newest events are read at a time
UNREADABLE = "log-damaged", "newer-release", "superseded-rules"
"""Codes of the problems that make a table unreadable. Lists leave such tables out."""
LOOKING_BACK = 50
"""Maximum number of waiting reads of past games; further reads are refused."""


class TableCache:
    """The tables in memory, with least-recently-used eviction."""

    def __init__(self, store: EventStore, most: int = MOST_TABLES) -> None:
        self.store, self.most = store, most
        self.tables: OrderedDict[UUID, TableState] = OrderedDict()
        self.locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.snapshots, self.workers = Snapshots(store), Workers()
        self.lookback = Workers(at_once=1, most_waiting=LOOKING_BACK)  # so that reads of past games never delay running ones
        self.loading = asyncio.Semaphore(LOADS)
        self.tails = SingleFlight(self.tail, TAILS)
        self.on_lost: list[Callable[[TableState], None]] = []      # called for each table whose known events were lost

    async def close(self) -> None:
        """Close the cache after pending snapshots are written."""
        await self.tails.close()
        await self.snapshots.close()

    async def load(self, stream: UUID) -> TableState:
        """Return the table as this process knows it, loaded from the log if needed."""
        table = self.tables.get(stream)
        if table is not None:
            metrics.tables_hit.inc()
        else:
            metrics.tables_missed.inc()
            async with self.loading:
                if stream not in self.tables:
                    self.put(await self.load_from_log(stream))
            table = self.tables[stream]
        self.tables.move_to_end(stream)
        return table

    async def reach(self, stream: UUID, version: int) -> TableState:
        """Return the table after `version`, which the log is known to contain.

        If an event up to that version needs a newer release, the table before that event is returned.

        Raises:
            Problem: `unavailable` if the log has lost the version in the meantime.
        """
        while (table := await self.load(stream)).version < version and table.newer is None:
            if not await self.catch_up(table):
                raise Problem("unavailable", retry_after=1)
        return table

    async def fresh(self, stream: UUID) -> TableState:
        """Return the current table, updated from the log."""
        await self.catch_up(await self.load(stream))
        return await self.load(stream)

    async def load_after(self, stream: UUID, hash_: bytes) -> TableState:
        """Return the table after the event with this hash, or after a later event."""
        table = await self.load(stream)
        return table if table.hash == hash_ else await self.fresh(stream)

    async def events_after(
        self, stream: UUID, after: int, limit: int, queue: Workers | None = None
    ) -> tuple[TableState, Sequence[LogEntry]]:
        """Return the table, and at most `limit` events after `after`.

        Unless the cached table already has more events than requested, it is updated from the log.

        Args:
            queue: where long work waits, as in `run_checked`.
        """
        table = await self.load(stream)
        if table.version > after + limit:
            stored = await self.read_log(stream, after=after, limit=limit, queue=queue)
            return table, await self.decode(stored, after + 1, queue)
        version, hash_ = table.version, table.hash
        first = min(after, version - 1)
        long = queue is not None and version - first > SHORT
        tail = await (self.tail((stream, first), queue) if long else self.tails.get((stream, first)))
        await self.apply_tail(table, hash_, tail[version - first - 1 :])
        return await self.load(stream), tail[after - first :][:limit]

    async def tail(self, place: tuple[UUID, int], queue: Workers | None = None) -> list[LogEntry]:
        """Return all events after a version.

        Args:
            place: the table's stream, and the version.
            queue: where long work waits, as in `run_checked`.
        """
        table, after = place
        return await self.decode(await self.read_log(table, after=after, queue=queue), after + 1, queue)

    async def catch_up(self, table: TableState) -> bool:
        """Apply events appended by other processes, or forget a table with lost events.

        Returns:
            Whether anything changed.
        """
        version, hash_ = table.version, table.hash
        events = self.read(await self.read_log(table.stream, after=version - 1), version)
        return await self.apply_tail(table, hash_, events)

    async def apply_tail(self, table: TableState, hash_: bytes, events: Sequence[LogEntry]) -> bool:
        """Apply events read from the log.

        Args:
            hash_: the table's hash when the log was read.
            events: the table's newest event, which must have this hash, followed by the new events.

        Returns:
            Whether anything changed.
        """
        if not events or events[0].hash != hash_:
            self.forget_lost(table)
            return True
        tail = events[1:]
        if tail:
            table.next_check = None
        await provide(self.store.document, table.opened.ruleset, events_in(tail))
        if any(isinstance(entry.event, Undone) for entry in tail):
            self.forget(table.stream)
        else:
            self.apply(table, tail, check=True)
        return bool(tail)

    def apply_replicated(self, stream: UUID, data: bytes) -> None:
        """Apply an event that another process has sent, if it is the next command.

        Other events are ignored, since the log is read anyway when the current table is needed.
        """
        table, event = self.tables.get(stream), unpacked(data)
        if table is None or event is None or event.version != table.version + 1:
            return
        entry = command_entry(event)
        if entry is None or table.newer is not None:
            return
        with suppress(Damaged):
            table.check(entry)
            table.next_check = None
            table.add(entry)

    def forget_lost(self, table: TableState) -> None:
        """Forget a table whose newest events the log has lost, as after a fail-over."""
        log.warning("table %s: version %s is lost", table.id, table.version)
        metrics.lost.inc()
        if self.tables.get(table.stream) is table:
            self.forget(table.stream)
        for told in self.on_lost:
            told(table)

    def apply(self, table: TableState, events: Sequence[LogEntry], *, check: bool, clocks: Clocks | None = None) -> None:
        """Apply committed events, except those that another task has applied already.

        Args:
            check: whether to check the events against the hash chain.
            clocks: the clocks after the events, if known.
        """
        for entry in events:
            if entry.version == table.version + 1:
                if check:
                    self.check(table, entry)
                table.add(entry, clocks=clocks)

    def check(self, table: TableState, entry: LogEntry) -> None:
        try:
            table.check(entry)
        except Damaged as damage:
            raise self.damage_problem(damage) from damage

    # --- the log ------------------------------------------------------------------------------------------------------
    async def read_log(
        self, stream: UUID, after: int = -1, limit: int | None = None, queue: Workers | None = None
    ) -> list[StoredEvent]:
        """Return stored events from the log or, for an archived table, from its bundle.

        Raises:
            Problem: `log-damaged`; `unavailable` if the queue is full.
        """
        read = partial(self.store.read, stream, after, limit)
        try:
            return await (queue.read(read) if queue else read())
        except BrokenBundle as broken:
            raise self.damage_problem(Damaged(stream, 0, broken.what)) from broken

    async def log_has_event(self, stream: UUID, seq: int, head: str) -> bool:
        """Return whether the log still has this event.

        After a fail-over, another event can have the same number.
        """
        found = await self.store.read(stream, after=seq - 1, limit=1)
        return bool(found) and head_of(found[0].hash) == head

    async def load_from_log(self, stream: UUID) -> TableState:
        """Load a table from its whole log, or from a snapshot and the events after it.

        Raises:
            Problem: `not-found`, `log-damaged`, and those of `run_checked`.
        """
        first = await self.decode(found(await self.read_log(stream, limit=snapshots.EVERY)))
        await provide_for(self.store.document, events_in(first))
        if len(first) < snapshots.EVERY:
            return await self.state_at(stream, first, first[-1].version)
        if table := await self.load_from_snapshot(stream, first):
            return table
        events = await self.events(stream)
        return await self.state_at(stream, events, events[-1].version)

    async def load_from_snapshot(self, stream: UUID, first: Sequence[LogEntry]) -> TableState | None:
        begun = await self.run_checked(1, lambda: empty_table(stream, first))
        newest = await self.store.snapshot(stream, revision(begun.title))
        if newest is None:
            return None
        version, data = newest
        tail = await self.decode(await self.read_log(stream, after=version - 1), version)
        await provide(self.store.document, begun.opened.ruleset, events_in(tail))
        table = await self.run_checked(len(tail), lambda: resume(begun, data, tail))
        await provide_layouts(self.store.document, [hash_ for _, hash_ in table.layouts] if table else [])
        return table

    async def decode(self, stored: Sequence[StoredEvent], first: int = 0, queue: Workers | None = None) -> list[LogEntry]:
        return await self.run_checked(len(stored), lambda: decoded_entries(stored, first), queue)

    async def events(self, stream: UUID, queue: Workers | None = None) -> list[LogEntry]:
        """Return all events of a table.

        Raises:
            Problem: `not-found`, `log-damaged`; `unavailable` if the queue is full.
        """
        return (await self.stored_events(stream, queue))[1]

    async def stored_events(self, stream: UUID, queue: Workers | None = None) -> tuple[Sequence[StoredEvent], list[LogEntry]]:
        """Return all events of a table, first as stored and then decoded."""
        stored = found(await self.read_log(stream, queue=queue))
        events = await self.decode(stored, queue=queue)
        await provide_for(self.store.document, events_in(events))
        return stored, events

    async def state_at(
        self, stream: UUID, events: Sequence[LogEntry], version: int, queue: Workers | None = None
    ) -> TableState:
        """Fold these events into the table as it was after `version`."""
        return await self.run_checked(version, lambda: fold(stream, events, upto=version), queue)

    async def run_checked(self, events: int, work: Callable[[], T], queue: Workers | None = None) -> T:
        """Run work on so many events, in a thread if they are many.

        Args:
            queue: where the work waits. Use `lookback` for work that no running game needs; the default is `workers`.

        Raises:
            Problem: `log-damaged`, `newer-release`, `not-found`, and those that `work` raises.
        """
        try:
            return await (queue or self.workers).run(events, work)
        except Damaged as damage:
            raise self.damage_problem(damage) from damage
        except NewerRelease as newer:
            raise Problem("newer-release", retry_after=PATIENCE) from newer
        except NoTable as error:
            raise Problem("not-found") from error

    def read(self, stored: Iterable[StoredEvent], first: int = 0) -> list[LogEntry]:
        try:
            return decoded_entries(stored, first)
        except Damaged as damage:
            raise self.damage_problem(damage) from damage

    def damage_problem(self, damage: Damaged) -> Problem:
        """Forget the damaged table, log the fault, and return the problem."""
        log.error("damaged log: %s", damage)
        metrics.damaged.inc()
        self.forget(damage.stream)
        return Problem("log-damaged", f"version {damage.version}")

    # --- the cache ----------------------------------------------------------------------------------------------------
    def put(self, table: TableState) -> None:
        known = self.tables.get(table.stream)
        if known is None or known.version < table.version:
            self.tables[table.stream] = table
        while len(self.tables) > self.most:
            _, forgotten = self.tables.popitem(last=False)
            self.snapshots.before_forgotten(forgotten)

    def forget(self, stream: UUID) -> None:
        self.tables.pop(stream, None)

    def lock(self, stream: UUID) -> asyncio.Lock:
        """Return the table's lock, which admits one command at a time in this process.

        Conflicts between processes are found by the store's version check.
        """
        return self.locks.get(stream) or self.locks.setdefault(stream, asyncio.Lock())


def events_in(decoded_entries: Iterable[LogEntry]) -> list[AnyEvent | UnreadEvent]:
    return [entry.event for entry in decoded_entries]


def found(stored: Sequence[StoredEvent]) -> Sequence[StoredEvent]:
    """Return the events. Raises Problem `not-found` if there are none."""
    if not stored:
        raise Problem("not-found")
    return stored
