"""Compares all stored games with the present rules, in several processes."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from uuid import UUID

import uvloop

from ludarium.ops.log_verification import MAX_CPU_SECONDS, LogSource, ReportProgress, StreamPages
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.records.present_rules import Comparison, compare
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import TableOpened
from ludarium.tables.model.hash_chain import Damaged, NewerRelease, NoTable, decoded_entries
from ludarium_eventstore import BrokenBundle, EventStore, StoredEvent

TableResult = tuple[UUID, Comparison | str]
"""A table's comparison, or why it cannot be compared."""


async def compare_all(
    source: LogSource, store: EventStore, processes: int, report_result: Callable[[TableResult], None],
    report_progress: ReportProgress,
) -> None:
    """Compare all tables with a started game.

    Args:
        report_result: receives the result of each table.
        report_progress: receives the number of streams compared, and of those found so far.
    """
    walk, workers, looked = StreamPages(store), Processes(processes, MAX_CPU_SECONDS, processes), 0

    async def work() -> None:
        nonlocal looked
        while page := await walk.next():
            for each in await workers.run(compare_in_process, source, page):
                report_result(each)
            looked += len(page)
            report_progress(looked, walk.streams)

    async with asyncio.TaskGroup() as group:
        for _ in range(processes):
            group.create_task(work())


def compare_in_process(source: LogSource, streams: Sequence[UUID]) -> list[TableResult]:
    """Run `compare_streams` in a worker process."""
    return uvloop.run(compare_streams(source, streams))


async def compare_streams(source: LogSource, streams: Sequence[UUID]) -> list[TableResult]:
    async with await source.open() as store:
        return [(stream, found) for stream in streams if (found := await compare_table(store, stream))]


def is_table(stored: Sequence[StoredEvent]) -> bool:
    return bool(stored) and stored[0].type == type_of(TableOpened)


async def compare_table(store: EventStore, stream: UUID) -> Comparison | str | None:
    """Compare a table; return a text if it cannot be compared.

    None is returned for other streams and for tables without a started game.
    """
    try:
        stored = await store.read(stream)
        if not is_table(stored):
            return None
        found = await compare_stored(store, stored)
    except (BrokenBundle, Damaged, NewerRelease, NoTable, Problem) as problem:
        return str(problem)
    return found if found.begun else None


async def compare_stored(store: EventStore, stored: Sequence[StoredEvent]) -> Comparison:
    """Compare the rows of a table, at least one.

    Raises:
        Damaged, NewerRelease, NoTable: the rows cannot be read.
    """
    rows = decoded_entries(stored)
    await provide_for(store.document, [entry.event for entry in rows])
    return compare(stored[0].stream, rows)
