"""All stored games under the rules of today, in several processes."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

import uvloop

from ludarium.ops.log_verification import LONGEST, Source, Tell, Walk
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.records.present_rules import Comparison, compare
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import TableOpened
from ludarium.tables.model.hash_chain import Damaged, NewerRelease, NoTable, decoded_entries
from ludarium_eventstore import BrokenBundle, EventStore, StoredEvent

Found = tuple[UUID, Comparison | str]
"""Of a table: what came of it, or why it cannot be said."""


async def compare_all(source: Source, store: EventStore, processes: int, found: Callable[[Found], None], tell: Tell) -> None:
    """found: is told of each table at which a game was begun. tell: of how many streams have been looked at."""
    walk, workers, looked = Walk(store), Processes(processes, LONGEST, processes), 0

    async def work() -> None:
        nonlocal looked
        while page := await walk.next():
            for each in await workers.run(compared, source, page):
                found(each)
            looked += len(page)
            tell(looked, walk.streams)

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            group.create_task(work())


def compared(source: Source, streams: Sequence[UUID]) -> list[Found]:
    """In a process of its own."""
    return uvloop.run(compared_streams(source, streams))


async def compared_streams(source: Source, streams: Sequence[UUID]) -> list[Found]:
    async with await source.open() as store:
        return [(stream, found) for stream in streams if (found := await said(store, stream))]


def is_table(stored: Sequence[StoredEvent]) -> bool:
    return bool(stored) and stored[0].type == type_of(TableOpened)


async def said(store: EventStore, stream: UUID) -> Comparison | str | None:
    """None of another stream than a table, and of one at which no game was begun."""
    try:
        stored = await store.read(stream)
        if not is_table(stored):
            return None
        found = await compare_stored(store, stored)
    except (BrokenBundle, Damaged, NewerRelease, NoTable, Problem) as problem:
        return str(problem)
    return found if found.begun else None


async def compare_stored(store: EventStore, stored: Sequence[StoredEvent]) -> Comparison:
    """Of a table's rows, of which there is at least one. Raises Damaged, NewerRelease, NoTable."""
    rows = decoded_entries(stored)
    await provide_for(store.document, [entry.event for entry in rows])
    return compare(stored[0].stream, rows)
