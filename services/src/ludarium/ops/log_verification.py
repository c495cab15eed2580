"""The whole log: every stream verified, in several processes, and what stands beside the log held against it."""
from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

import uvloop

from ludarium.ops.archive.bundles import files_at
from ludarium.platform.processes import Processes
from ludarium.records.links import VerificationFailed
from ludarium.records.tournament_tables import faults_of_tournament
from ludarium.records.verify import TableReport, verify_stream
from ludarium.tables.deals.events import DEAL_NAMES, OPENED
from ludarium.tables.deals.verification import fault_of_table, faults_of_deal
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.event_types import NAMES, NAMING, decode, type_of
from ludarium.tables.model.events import GameStarted, NamesRules, OpenedFor, TableOpened
from ludarium.tables.model.hash_chain import Damaged, decoded_entries
from ludarium.tournaments.event_types import OPENED as OPENED_TOURNAMENT
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium_eventstore import BrokenBundle, EventStore, Fault, StoredEvent, audit
from ludarium_eventstore.archive import archived_streams
from ludarium_eventstore.store import StreamKey

AT_ONCE = 50
"""Streams that one process is given at a time."""
LONGEST = 3600.0
"""Seconds of CPU time that so many may take: each has at most 20,000 rows."""
KNOWN = {**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES}
"""What the type numbers mean. A stream that begins with another one is of a kind that this release does not know."""
FIRST = StreamKey(-1, UUID(int=0))
Tell = Callable[[int, int], None]
"""Is told how many rows have been verified, and how many there are."""


class Source(NamedTuple):
    """The log, and where its archived streams are, for processes of their own."""

    dsn: str
    archive: str | None = None

    async def open(self) -> EventStore:
        """Raises ArchiveError."""
        return await EventStore.open(self.dsn, readers=1, bundles=files_at(self.archive))


class StreamsReport(NamedTuple):
    """Of some streams: how many rows they have, and what does not hold."""

    rows: int
    faults: list[Fault]


class LogReport(NamedTuple):
    """head: the hash of the last row, None of an empty log; who keeps it can tell later whether the log still has it."""

    tables: int
    rows: int
    head: bytes | None
    faults: list[Fault]


async def verify_log(source: Source, store: EventStore, processes: int, tell: Tell) -> LogReport:
    """By pages of streams in the order of their ids, so nothing depends on how many there are."""
    last = await last_row(store)
    walk, workers = Walk(store), Processes(processes, LONGEST, processes)
    rows, faults = 0, [*await audit(store), *await beside(store)]

    async def work() -> None:
        nonlocal rows
        while page := await walk.next():
            part = await workers.run(verified, source, page)
            rows += part.rows
            faults.extend(part.faults)
            tell(rows, last.position if last else 0)

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            group.create_task(work())
    return LogReport(walk.streams, rows, last.hash if last else None, faults)


async def last_row(store: EventStore) -> StoredEvent | None:
    length = (await store.advanced([], None)).mark.position
    found = await store.since(length - 1, 1) if length else []
    return found[0] if found else None


def cores() -> int:
    return len(os.sched_getaffinity(0))


class Walk:
    """Over the ids of all streams, also of those to which a row was moved; several may take pages in turn."""

    def __init__(self, store: EventStore) -> None:
        self._store, self._last, self._lock = store, FIRST, asyncio.Lock()
        self.streams = 0

    async def next(self) -> list[UUID]:
        async with self._lock:
            page = await self._store.streams(self._last, AT_ONCE)
            self._last = page[-1] if page else self._last
            self.streams += len(page)
            return [place.stream for place in page]


# --- in a process of its own ------------------------------------------------------------------------------------------
def verified(source: Source, streams: Sequence[UUID]) -> StreamsReport:
    return uvloop.run(verified_streams(source, streams))


async def verified_streams(source: Source, streams: Sequence[UUID]) -> StreamsReport:
    async with await source.open() as store:
        rows, faults = 0, list[Fault]()
        for stream in streams:
            try:
                stored = await store.read(stream)
            except BrokenBundle as broken:
                faults.append(Fault(stream, None, broken.what))
                continue
            rows += len(stored)
            faults += [fault async for fault in faults_of(store, stream, stored)]
        return StreamsReport(rows, faults)


async def faults_of(store: EventStore, stream: UUID, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    """By the kind of the stream; of one that stands under another's partition the audit tells."""
    kind = stored[0].type if stored else None
    if kind == type_of(TableOpened):
        if finding := (await report_of(store, stored)).finding:
            yield Fault(stream, finding.seq, finding.what)
        async for fault in missing_documents(store, stored):
            yield fault
        async for fault in of_its_deal(store, stored[0]):
            yield fault
    elif kind == OPENED:
        async for fault in faults_of_deal(store, stream, stored):
            yield fault
    elif kind == OPENED_TOURNAMENT:
        async for fault in faults_of_tournament(store, stream, stored):
            yield fault
    elif kind in KNOWN:
        yield Fault(stream, stored[0].version, "no stream begins with such a row")


async def of_its_deal(store: EventStore, first: StoredEvent) -> AsyncIterator[Fault]:
    row = decode(first.type, first.schema, first.data)
    if isinstance(row, OpenedFor) and row.deal.stream == row.tournament:
        return                                  # whose tables are looked at with it
    if isinstance(row, TableOpened) and row.deal.stream and (fault := await fault_of_table(store, first, row.deal)):
        yield fault


async def report_of(store: EventStore, stored: Sequence[StoredEvent]) -> TableReport:
    """Of a table's rows, of which there is at least one."""
    try:
        await provide_for(store.document, [entry.event for entry in decoded_entries(stored)])
    except Damaged as damage:
        return TableReport(finding=VerificationFailed(damage.version, damage.what))
    return verify_stream(stored[0].stream, stored)


async def missing_documents(store: EventStore, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    for version, hash_ in named_documents(stored):
        if await store.document(hash_) is None:
            yield Fault(stored[0].stream, version, f"the document {hash_.hex()} that it names is not there")


def named_documents(stored: Sequence[StoredEvent]) -> Iterator[tuple[int, bytes]]:
    for event in stored:
        row = decode(event.type, event.schema, event.data) if event.type in NAMING else None
        if isinstance(row, NamesRules):
            yield from ((event.version, hash_) for hash_ in (row.data, row.layout))
        if isinstance(row, GameStarted):
            yield event.version, row.zones


async def is_archived(store: EventStore, beginning: bytes) -> bool:
    """Whether some row of an archived stream has a hash that begins so. Raises BrokenBundle, StoreUnavailable."""
    async for _, place in archived_streams(store.fetch):
        if any(row.hash.startswith(beginning) for row in await store.archive.rows(place)):
            return True
    return False


# --- beside the log ---------------------------------------------------------------------------------------------------
async def beside(store: EventStore) -> list[Fault]:
    """Documents under their hashes, event types under their names; checkpoints and keys are a part of the audit."""
    changed = [hash_ async for hash_, data in store.documents() if blake2b(data, digest_size=32).digest() != hash_]
    faults = [Fault(None, None, f"the document {hash_.hex()} is not what its hash says") for hash_ in changed]
    named, ours = await store.type_names(), KNOWN
    return faults + [
        Fault(None, None, f"event type {number} is called {name}, not {ours[number]}")
        for number, name in named.items() if ours.get(number, name) != name
    ]  # fmt: skip
