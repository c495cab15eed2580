"""Measure the disk space of a million events, before and after archiving."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

import asyncpg

from benchmarks.rows import Row
from benchmarks.store.disk import PARTS
from ludarium.embedded import embedded
from ludarium.ops.archive.archiving import archive_games
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.schema_check import migrated
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore
from tests.clock import now
from tests.support.table_games import Silent, play, started

GAMES = 60
MILLION = 1_000_000


async def rows() -> AsyncIterator[Row]:
    with TemporaryDirectory() as folder:
        async with embedded(Path(folder) / "home", durable=False) as servers:
            await migrated(servers.database_url)
            files = BundleFiles(f"{folder}/bundles", make=True)
            owner = await asyncpg.connect(servers.database_url)
            async with await EventStore.open(servers.database_url, bundles=files) as store:
                for row in await measured(owner, store, files):
                    yield row
            await owner.close()


async def measured(owner: asyncpg.Connection[asyncpg.Record], store: EventStore, files: BundleFiles) -> list[Row]:
    await store.name_types({**NAMES, **DEAL_NAMES})
    empty = await size(owner)
    await played(Tables(store, Silent(), SystemEntropy()))
    events = await owner.fetchval("select count(*) from es.events")
    whole = await size(owner) - empty
    await owner.execute("delete from es.commands")
    unkeyed = await size(owner) - empty
    began = process_time()
    found = await archive_games(owner, store, files, now() + timedelta(days=1), lambda done, of: None)
    took = process_time() - began
    left = await size(owner) - empty
    assert found.streams == GAMES, found
    return [
        Row(name="a million events with their keys", value=megabytes(whole, events), unit="MB"),
        told("keys forgotten", unkeyed, whole, events),
        told("archived: what stays in PostgreSQL", left, whole, events),
        told("archived: their bundles", found.bytes, whole, events),
        Row(name="archiving", value=round(found.rows / took), unit="events per CPU second of ours"),
    ]


async def played(tables: Tables) -> None:
    """Play the games, eight at a time.

    The last event of the log belongs to a game that is still running.
    """
    room = asyncio.Semaphore(8)

    async def game(nth: int) -> None:
        async with room:
            await play(tables, await started(tables, 2 + nth % 3), Random(nth))

    await asyncio.gather(*map(game, range(GAMES)))
    await started(tables)


async def size(owner: asyncpg.Connection[asyncpg.Record]) -> int:
    """Return the bytes of the schema `es` after `VACUUM FULL`."""
    await owner.execute("vacuum full")
    return sum(row["bytes"] for row in await owner.fetch(PARTS))


def told(name: str, taken: int, whole: int, events: int) -> Row:
    return Row(name=name, value=megabytes(taken, events), unit="MB", beside="with their keys", ratio=taken / whole)


def megabytes(taken: int, events: int) -> float:
    return round(taken / events * MILLION / 1e6, 1)
