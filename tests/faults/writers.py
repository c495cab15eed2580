"""Writers that race for the same streams and record their results.

Each writer has its own store.
"""
from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from random import Random
from time import monotonic
from uuid import UUID

from ludarium_eventstore import Append, Conflict, EventStore, Mismatch, Ok, StoreUnavailable, Verdict
from tests.faults.history import Attempt, Log, Logged
from tests.support.entropy import uuid4
from tests.support.streams import append

MOST_ROWS = 3


async def race(
    stores: Sequence[EventStore], reader: EventStore, streams: Sequence[UUID], stop: asyncio.Event, luck: Random
) -> list[Attempt]:
    """Run a writer for each store and stream until `stop` is set.

    Args:
        reader: A store from which writers read the heads of the streams.
    """
    writers = [write(s, reader, stream, stop, Random(luck.random())) for s in stores for stream in streams]
    return [attempt for attempts in await asyncio.gather(*writers) for attempt in attempts]


async def write(
    store: EventStore, reader: EventStore, stream: UUID, stop: asyncio.Event, luck: Random
) -> list[Attempt]:
    attempts = []
    while not stop.is_set():
        head = await reader.head(stream)
        key = luck.choice([None, uuid4()])
        wanted = append(stream, 0 if head is None else head + 1, rows=luck.randint(1, MOST_ROWS), key=key)
        attempts.append(await tried(store, wanted))
    return attempts


async def tried(store: EventStore, wanted: Append) -> Attempt:
    began = monotonic()
    content = tuple(event.hash for event in wanted.events)
    try:
        verdict = await store.append(wanted)
    except StoreUnavailable:
        return Attempt(wanted.stream, content, began, monotonic(), known=False)
    return Attempt(wanted.stream, content, began, monotonic(), first_version(wanted, verdict))


def first_version(wanted: Append, verdict: Verdict) -> int | None:
    match verdict:
        case Ok(version):
            return version - len(wanted.events) + 1
        case Conflict() | Mismatch():
            return None
        case _:
            raise AssertionError(f"a fresh key is no duplicate: {verdict}")


async def log_of(store: EventStore) -> Log:
    """Return the whole log by stream, read in commit order."""
    log: dict[UUID, list[Logged]] = defaultdict(list)
    position = 0
    while page := await store.since(position):
        for row in page:
            log[row.stream].append(Logged(row.version, row.hash, row.position))
        position = page[-1].position
    return log
