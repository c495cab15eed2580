"""Verifies the whole log in several processes.

This includes every stream, the documents and the event types.
"""
from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

import uvloop

from ludarium.ops.archive.bundles import open_bundle_files
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
from ludarium_eventstore.model import StreamKey

BATCH_SIZE = 50
"""Streams in one task of a worker process."""
MAX_CPU_SECONDS = 3600.0
"""CPU time that a worker process may take for one task. A stream has at most 20,000 rows."""
EVENT_NAMES = {**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES}
"""The names of all event types. A stream that begins with another type is of a kind unknown to this release."""
BEFORE_FIRST = StreamKey(-1, UUID(int=0))
ReportProgress = Callable[[int, int], None]
"""Receives the number of rows verified so far, and the total."""


class LogSource(NamedTuple):
    """The database and its archive, which worker processes open."""

    dsn: str
    archive: str | None = None

    async def open(self) -> EventStore:
        """Open the event store. Raises ArchiveError."""
        return await EventStore.open(self.dsn, readers=1, bundles=open_bundle_files(self.archive))


class StreamsReport(NamedTuple):
    """The number of rows of some streams, and the faults found in them."""

    rows: int
    faults: list[Fault]


class LogReport(NamedTuple):
    """The result of verifying the whole log.

    Attributes:
        head: the hash of the last row, None for an empty log. Operators can store it to check later that the row still
            exists.
    """

    tables: int
    rows: int
    head: bytes | None
    faults: list[Fault]


async def verify_log(source: LogSource, store: EventStore, processes: int, report_progress: ReportProgress) -> LogReport:
    """Verify all streams, page by page.

    Pages follow the order of the ids, so that memory does not grow with the log.
    """
    last = await last_row(store)
    walk, workers = StreamPages(store), Processes(processes, MAX_CPU_SECONDS, processes)
    rows, faults = 0, [*await audit(store), *await document_and_type_faults(store)]

    async def work() -> None:
        nonlocal rows
        while page := await walk.next():
            part = await workers.run(verify_in_process, source, page)
            rows += part.rows
            faults.extend(part.faults)
            report_progress(rows, last.position if last else 0)

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            group.create_task(work())
    return LogReport(walk.streams, rows, last.hash if last else None, faults)


async def last_row(store: EventStore) -> StoredEvent | None:
    length = (await store.advanced([], None)).mark.position
    found = await store.since(length - 1, 1) if length else []
    return found[0] if found else None


def available_cores() -> int:
    return len(os.sched_getaffinity(0))


class StreamPages:
    """Pages of the ids of all streams, including those that rows were moved to.

    Several tasks can share an instance.
    """

    def __init__(self, store: EventStore) -> None:
        self._store, self._last, self._lock = store, BEFORE_FIRST, asyncio.Lock()
        self.streams = 0

    async def next(self) -> list[UUID]:
        async with self._lock:
            page = await self._store.streams(self._last, BATCH_SIZE)
            self._last = page[-1] if page else self._last
            self.streams += len(page)
            return [place.stream for place in page]


# --- in a process of its own ------------------------------------------------------------------------------------------
def verify_in_process(source: LogSource, streams: Sequence[UUID]) -> StreamsReport:
    """Run `verify_streams` in a worker process."""
    return uvloop.run(verify_streams(source, streams))


async def verify_streams(source: LogSource, streams: Sequence[UUID]) -> StreamsReport:
    async with await source.open() as store:
        rows, faults = 0, list[Fault]()
        for stream in streams:
            try:
                stored = await store.read(stream)
            except BrokenBundle as broken:
                faults.append(Fault(stream, None, broken.what))
                continue
            rows += len(stored)
            faults += [fault async for fault in stream_faults(store, stream, stored)]
        return StreamsReport(rows, faults)


async def stream_faults(store: EventStore, stream: UUID, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    """Yield the faults of a stream, depending on its kind.

    Streams in a wrong partition are left to the audit.
    """
    kind = stored[0].type if stored else None
    if kind == type_of(TableOpened):
        if finding := (await table_report(store, stored)).finding:
            yield Fault(stream, finding.seq, finding.what)
        async for fault in missing_documents(store, stored):
            yield fault
        async for fault in deal_faults(store, stored[0]):
            yield fault
    elif kind == OPENED:
        async for fault in faults_of_deal(store, stream, stored):
            yield fault
    elif kind == OPENED_TOURNAMENT:
        async for fault in faults_of_tournament(store, stream, stored):
            yield fault
    elif kind in EVENT_NAMES:
        yield Fault(stream, stored[0].version, "no stream begins with such a row")


async def deal_faults(store: EventStore, first: StoredEvent) -> AsyncIterator[Fault]:
    """Yield a fault if a table does not match its shared deal.

    Tables of tournaments are verified with the tournament.
    """
    row = decode(first.type, first.schema, first.data)
    if isinstance(row, OpenedFor) and row.deal.stream == row.tournament:
        return                                  # whose tables are looked at with it
    if isinstance(row, TableOpened) and row.deal.stream and (fault := await fault_of_table(store, first, row.deal)):
        yield fault


async def table_report(store: EventStore, stored: Sequence[StoredEvent]) -> TableReport:
    """Verify the rows of a table, at least one."""
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


async def archive_has_hash(store: EventStore, beginning: bytes) -> bool:
    """Return whether the hash of an archived row starts with these bytes.

    Raises:
        BrokenBundle: a bundle is missing or damaged.
        StoreUnavailable: the archive cannot be reached.
    """
    async for _, place in archived_streams(store.fetch):
        if any(row.hash.startswith(beginning) for row in await store.archive.rows(place)):
            return True
    return False


# --- documents and types-----------------------------------------------------------------------------------------------
async def document_and_type_faults(store: EventStore) -> list[Fault]:
    """Compare documents with their hashes, and event types with their names.

    Checkpoints and keys are left to the audit.
    """
    changed = [hash_ async for hash_, data in store.documents() if blake2b(data, digest_size=32).digest() != hash_]
    faults = [Fault(None, None, f"the document {hash_.hex()} is not what its hash says") for hash_ in changed]
    named, ours = await store.type_names(), EVENT_NAMES
    return faults + [
        Fault(None, None, f"event type {number} is called {name}, not {ours[number]}")
        for number, name in named.items() if ours.get(number, name) != name
    ]  # fmt: skip
