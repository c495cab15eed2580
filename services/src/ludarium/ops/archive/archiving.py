"""From the log to bundles: a bundle is written, read back and checked before its stream is closed, and only then rows go."""
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

PAGE = 500
"""Games that are looked for at a time."""
MOST = 2000
"""Rows that are deleted in one transaction."""
BOUND = "select least(min(c.position), (select max(e.position) from es.events e where e.lane = 0)) from es.checkpoints c"
"""Before it rows may go: each projection has read on, also one that is being rebuilt, and keys are forgotten as far. The log's
last row stays: its next one is numbered by it."""
OVER = """
    select e.stream_id, e.position from es.events e
    where e.lane = 0 and e.type = $1 and e.position > $2 and e.position < $3 and e.at < $4
      and not exists (select from es.archived a where a.partition = e.partition and a.stream_id = e.stream_id)
    order by e.position limit $5"""
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Tell = Callable[[int, int], None]
"""Is told how far in the log it has come, and how far it goes."""


class Archiving(NamedTuple):
    """What came of it. left: of games that stay, their ids and why."""

    streams: int
    rows: int
    bytes: int
    left: list[tuple[str, str]]


class Stays(Exception):
    """A stream that cannot be archived; the text says why."""


async def archive(owner: Connection, store: EventStore, files: BundleFiles, before: datetime, tell: Tell) -> Archiving:
    """All games that were over and open to all before that moment. owner: of the log. Raises ArchiveError, StoreUnavailable."""
    rows = await cleared(owner)                 # of a run that was cut off
    streams = size = 0
    left: list[tuple[str, str]] = []
    bound = await owner.fetchval(BOUND) or 0
    async for stream, position in games_over(owner, before, bound):
        try:
            bundle = await closed(owner, store, files, stream, before, bound)
        except Stays as why:
            left.append((ids.encode(stream), str(why)))
        else:
            streams, size = streams + 1, size + bundle
            rows += await cleared(owner)
        tell(position, bound)
    return Archiving(streams, rows, size, left)


async def games_over(owner: Connection, before: datetime, bound: int) -> AsyncIterator[tuple[UUID, int]]:
    """In the order in which they came to their end."""
    after = 0
    while page := await owner.fetch(OVER, type_of(SeedsRevealed), after, bound, before, PAGE):
        for row in page:
            yield row["stream_id"], row["position"]
        after = page[-1]["position"]


async def closed(
    owner: Connection, store: EventStore, files: BundleFiles, stream: UUID, before: datetime, bound: int
) -> int:
    """The size of its bundle. Raises Stays, ArchiveError, StoreUnavailable."""
    rows = await store.read(stream)
    if rows[-1].at >= before or rows[-1].position >= bound:
        raise Stays("something was noted there since")
    await check(store, rows)
    bundle = pack_bundle(rows)
    place = archived_stream_of(rows, bundle)
    await files.put(stream, bundle)
    try:
        back = unpack_bundle(place, await files.get(stream))
    except BrokenBundle as broken:
        raise Stays(f"{files.place} gives back something else than was written: {broken.what}") from broken
    if back != rows:
        raise Stays("its bundle does not say what the log says")
    if not await owner.fetchval("select es.archive($1, $2, $3, $4, $5, $6)", *place):
        raise Stays("something was noted there meanwhile")
    return len(bundle)


async def check(store: EventStore, rows: Sequence[StoredEvent]) -> None:
    """It fits its chain to the end, and everybody may see all of it. Raises Stays."""
    try:
        found = decoded_entries(rows)
        await provide_for(store.document, [entry.event for entry in found])
        table = fold(rows[0].stream, found)
    except (Damaged, NewerRelease, NoTable, Problem) as error:
        raise Stays(str(error)) from error
    if table.newer is not None:
        raise Stays("only a newer release can read all of it")
    if not table.is_open_to_all:
        raise Stays("its seeds are not revealed")


async def cleared(owner: Connection) -> int:
    """Deletes rows of closed streams until there are none in the log; how many."""
    rows = 0
    while (gone := await owner.fetchval("select es.clear_archived($1)", MOST)) is not None:
        rows += gone
    return rows
