"""Moves finished games from the log to bundles.

Each bundle is written, read back and checked before its stream is closed. Only then are the rows deleted.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias
from uuid import UUID

import asyncpg

from ludarium.ops.archive.bundles import BundleFiles
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import SeedsRevealed
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, NewerRelease, NoTable, decoded_entries
from ludarium_eventstore import BrokenBundle, EventStore, StoredEvent
from ludarium_eventstore.archive import archived_stream_of, pack_bundle, unpack_bundle

PAGE_SIZE = 500
"""Number of games selected at a time."""
MAX_DELETED_ROWS = 2000
"""Rows deleted in one transaction."""
SELECT_BOUND = "select least(min(c.position), (select max(e.position) from es.events e where e.lane = 0)) from es.checkpoints c"
"""Before it rows may go: each projection has read on, also one that is being rebuilt, and keys are forgotten as far. The log's
last row stays: its next one is numbered by it."""
SELECT_GAMES_OVER = """
    select e.stream_id, e.position from es.events e
    where e.lane = 0 and e.type = $1 and e.position > $2 and e.position < $3 and e.at < $4
      and not exists (select from es.archived a where a.partition = e.partition and a.stream_id = e.stream_id)
    order by e.position limit $5"""
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
ReportProgress = Callable[[int, int], None]
"""Receives the current and the last position in the log."""


class ArchiveReport(NamedTuple):
    """The result of a run.

    Attributes:
        streams: the number of archived streams.
        rows: the number of deleted rows.
        bytes: the size of the new bundles.
        skipped: ids of games that were not archived, each with the reason.
    """

    streams: int
    rows: int
    bytes: int
    skipped: list[tuple[str, str]]


class CannotArchive(Exception):
    """A stream cannot be archived; the message gives the reason."""


async def archive_games(
    owner: Connection, store: EventStore, files: BundleFiles, before: datetime, report_progress: ReportProgress
) -> ArchiveReport:
    """Archive all games whose seeds were revealed before a given time.

    Args:
        owner: a connection as the owner of the log.

    Raises:
        ArchiveError: a bundle cannot be written.
        StoreUnavailable: the database or the archive cannot be reached.
    """
    rows = await delete_archived_rows(owner)                 # of a run that was cut off
    streams = size = 0
    skipped: list[tuple[str, str]] = []
    bound = await owner.fetchval(SELECT_BOUND) or 0
    async for stream, position in games_over(owner, before, bound):
        try:
            bundle = await archive_stream(owner, store, files, stream, before, bound)
        except CannotArchive as why:
            skipped.append((ids.encode(stream), str(why)))
        else:
            streams, size = streams + 1, size + bundle
            rows += await delete_archived_rows(owner)
        report_progress(position, bound)
    return ArchiveReport(streams, rows, size, skipped)


async def games_over(owner: Connection, before: datetime, bound: int) -> AsyncIterator[tuple[UUID, int]]:
    """Yield streams of finished games and the positions of their ends, in that order."""
    after = 0
    while page := await owner.fetch(SELECT_GAMES_OVER, type_of(SeedsRevealed), after, bound, before, PAGE_SIZE):
        for row in page:
            yield row["stream_id"], row["position"]
        after = page[-1]["position"]


async def archive_stream(
    owner: Connection, store: EventStore, files: BundleFiles, stream: UUID, before: datetime, bound: int
) -> int:
    """Archive a stream, and return the size of its bundle in bytes.

    Raises:
        CannotArchive: the stream must stay in the log.
        ArchiveError: the bundle cannot be written.
    """
    rows = await store.read(stream)
    if rows[-1].at >= before or rows[-1].position >= bound:
        raise CannotArchive("something was noted there since")
    await check_archivable(store, rows)
    bundle = pack_bundle(rows)
    place = archived_stream_of(rows, bundle)
    await files.put(stream, bundle)
    try:
        back = unpack_bundle(place, await files.get(stream))
    except BrokenBundle as broken:
        raise CannotArchive(f"{files.place} gives back something else than was written: {broken.what}") from broken
    if back != rows:
        raise CannotArchive("its bundle does not say what the log says")
    if not await owner.fetchval("select es.archive($1, $2, $3, $4, $5, $6)", *place):
        raise CannotArchive("something was noted there meanwhile")
    return len(bundle)


async def check_archivable(store: EventStore, rows: Sequence[StoredEvent]) -> None:
    """Check that a stream is valid and that all its content is public.

    Raises:
        CannotArchive: the stream is invalid or not public.
    """
    try:
        found = decoded_entries(rows)
        await provide_for(store.document, [entry.event for entry in found])
        table = fold(rows[0].stream, found)
    except (Damaged, NewerRelease, NoTable, Problem) as error:
        raise CannotArchive(str(error)) from error
    if table.newer is not None:
        raise CannotArchive("only a newer release can read all of it")
    if not table.is_open_to_all:
        raise CannotArchive("its seeds are not revealed")


async def delete_archived_rows(owner: Connection) -> int:
    """Delete all rows of archived streams from the log, and return their number."""
    rows = 0
    while (gone := await owner.fetchval("select es.clear_archived($1)", MAX_DELETED_ROWS)) is not None:
        rows += gone
    return rows
