"""The whole log: every stream verified, in several processes, and what stands beside the log held against it."""
from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

import uvloop

from eventstore import EventStore, Fault, StoredEvent, audit
from services.processes import Processes
from services.records.verify import Report, verify_stream
from services.tables.data import provide_for
from services.tables.history import Damaged, entries
from services.tables.rows import NAMES, NUMBERS, GameStarted, RulesChanged, UnknownRow, decode

AT_ONCE = 50
"""Streams that one process is given at a time."""
LONGEST = 3600.0
"""Seconds that so many may take: each has at most 20,000 rows."""
NAMING = frozenset({NUMBERS[GameStarted], NUMBERS[RulesChanged]})
"""The rows that name data."""
FIRST = UUID(int=0)
Tell = Callable[[int, int], None]
"""Is told how many rows have been verified, and how many there are."""


class Part(NamedTuple):
    """Of some streams: how many rows they have, and what does not hold."""

    rows: int
    faults: list[Fault]


class Whole(NamedTuple):
    """head: the hash of the last row, None of an empty log; who keeps it can tell later whether the log still has it."""

    tables: int
    rows: int
    head: bytes | None
    faults: list[Fault]


async def verify_log(dsn: str, store: EventStore, processes: int, tell: Tell) -> Whole:
    """By pages of streams in the order of their ids, so nothing depends on how many there are."""
    last = await last_row(store)
    walk, workers = Walk(store), Processes(processes, LONGEST, processes)
    rows, faults = 0, [*await audit(store), *await beside(store)]

    async def work() -> None:
        nonlocal rows
        while page := await walk.next():
            part = await workers.run(verified, dsn, page)
            rows += part.rows
            faults.extend(part.faults)
            tell(rows, last.position if last else 0)

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            group.create_task(work())
    return Whole(walk.streams, rows, last.hash if last else None, faults)


async def last_row(store: EventStore) -> StoredEvent | None:
    length, _ = await store.advanced([], None)
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
            return page


# --- in a process of its own ------------------------------------------------------------------------------------------
def verified(dsn: str, streams: Sequence[UUID]) -> Part:
    return uvloop.run(verified_streams(dsn, streams))


async def verified_streams(dsn: str, streams: Sequence[UUID]) -> Part:
    async with await EventStore.open(dsn, readers=1) as store:
        rows, faults = 0, list[Fault]()
        for stream in streams:
            stored = await store.read(stream)
            rows += len(stored)
            faults += [Fault(stream, finding.seq, finding.what) for finding in (await report_of(store, stored)).findings]
            faults += [fault async for fault in missing_data(store, stored)]
        return Part(rows, faults)


async def report_of(store: EventStore, stored: Sequence[StoredEvent]) -> Report:
    """Of a stream's rows, of which there is at least one."""
    with suppress(Damaged):                     # what follows tells of it
        await provide_for(store.document, entries(stored))
    return verify_stream(stored[0].stream, stored)


async def missing_data(store: EventStore, stored: Sequence[StoredEvent]) -> AsyncIterator[Fault]:
    for version, data in named_data(stored):
        if await store.document(data) is None:
            yield Fault(stored[0].stream, version, f"the data {data.hex()} that it names are not there")


def named_data(stored: Sequence[StoredEvent]) -> Iterator[tuple[int, bytes]]:
    for event in stored:
        if event.type in NAMING:
            with suppress(UnknownRow):          # the stream's report tells of it
                row = decode(event.type, event.schema, event.data)
                if isinstance(row, GameStarted | RulesChanged):
                    yield event.version, row.data


# --- beside the log ---------------------------------------------------------------------------------------------------
async def beside(store: EventStore) -> list[Fault]:
    """Documents under their hashes, event types under their names; checkpoints and keys are a part of the audit."""
    changed = [hash_ async for hash_, data in store.documents() if blake2b(data, digest_size=32).digest() != hash_]
    faults = [Fault(None, None, f"the document {hash_.hex()} is not what its hash says") for hash_ in changed]
    named = await store.type_names()
    return faults + [
        Fault(None, None, f"event type {number} is called {name}, not {NAMES.get(number)}")
        for number, name in named.items() if NAMES.get(number) != name
    ]  # fmt: skip
