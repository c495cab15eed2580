"""Measure the rebuild of the records of a million events.

It is compared with a scan of the log that only decodes the events.
"""
from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from itertools import islice
from statistics import median
from time import perf_counter
from typing import Any

import asyncpg

from benchmarks.engine import play
from benchmarks.eventstore import fresh_store
from benchmarks.rows import Row
from ludarium.platform import ids
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.schema_check import migrated
from ludarium.projections.rebuilding import rebuild
from ludarium.tables.model import documents
from ludarium.tables.model.event_types import NUMBERS, AnyEvent, decode, encode
from ludarium.tables.model.events import Acted, Deal, GameStarted, Seated, SeedsRevealed, TableEnded, TableOpened
from ludarium.tables.model.hash_chain import commitment
from ludarium.tables.table_cache import TableCache
from ludarium_engine.titles.game_of_kingdoms import TITLE
from ludarium_eventstore import EventStore
from ludarium_eventstore.store import PAGE_SIZE

EVENTS = 1_000_000
AT_A_TIME = 20                                  # games whose events alternate in the log
KINDS = 10                                      # different games
SEATS = 4
RUNS = 3
COLUMNS = ["position", "partition", "stream_id", "version", "type", "schema", "at", "data", "root", "hash"]


async def rows() -> AsyncIterator[Row]:
    async with fresh_store() as (store, dsn):
        await migrated(dsn)
        await fill(dsn)
        pairs = [(await rebuilt(store, dsn), await scanned(store)) for _ in range(RUNS)]
    ours, limit = (median(times) for times in zip(*pairs, strict=True))
    yield Row(
        name=f"projections: records of {EVENTS:,} events made anew", value=round(ours, 1), unit="s",
        beside=f"sequential scan and decoding: {limit:.1f} s", ratio=ours / limit, goal="<= 3 x", holds=ours <= 3 * limit,
    )  # fmt: skip


async def rebuilt(store: EventStore, dsn: str) -> float:
    start = perf_counter()
    await rebuild(dsn, "records", TableCache(store), lambda done, total: None)
    return perf_counter() - start


async def scanned(store: EventStore) -> float:
    start, position = perf_counter(), 0
    while page := await store.since(position, PAGE_SIZE):
        for event in page:
            decode(event.type, event.schema, event.data)
        position = page[-1].position
    return perf_counter() - start


# --- the log ----------------------------------------------------------------------------------------------------------
async def fill(dsn: str) -> None:
    """Fill the log with finished games, and at its end with games that have begun."""
    connection = await asyncpg.connect(dsn)
    events = ((position, *event) for position, event in enumerate(islice(interleaved(), EVENTS), 1))
    await connection.copy_records_to_table("events", schema_name="es", columns=COLUMNS, records=events)
    await connection.execute("vacuum analyze es.events")
    await connection.close()


def interleaved() -> Iterator[tuple[Any, ...]]:
    """Yield rows of the log without their position, as columns, without end.

    The hash chains of copied games are not valid; this benchmark does not check them.
    """
    kinds, at = [encoded_game(seed) for seed in range(KINDS)], datetime.now(UTC)
    while True:
        batch = [(ids.new_id(SystemEntropy()), kinds[n % KINDS]) for n in range(AT_A_TIME)]
        for version in range(max(len(game) for _, game in batch)):
            for stream, game in batch:
                if version < len(game):
                    type_, schema, data = game[version]
                    yield ids.partition_of(stream), stream, version, type_, schema, at, data, bytes(32), os.urandom(32)


def encoded_game(seed: int) -> list[tuple[int, int, bytes]]:
    return [(*NUMBERS[type(row)], encode(row)) for row in whole_game(seed)]


def whole_game(seed: int) -> Iterator[AnyEvent]:
    secret = seed.to_bytes(32, "big")
    creator = ids.encode(ids.new_id(SystemEntropy()))
    game = play(TITLE, TITLE.options(), SEATS, seed)
    first, *rest = game.log
    yield TableOpened(TITLE.id, {}, SEATS, "public", "free", creator, commitment(secret), Deal(commitment(secret)))
    for seat in range(SEATS):
        yield Seated(seat, ids.encode(ids.new_id(SystemEntropy())), None)
    named = documents.of_game(TITLE, TITLE.blank(TITLE.options(), SEATS))
    yield GameStarted(TITLE.version, *named, [], first.facts)
    for event in rest:
        yield Acted(event.seat, event.action, event.facts)
    yield TableEnded("finished", [*range(1, SEATS + 1)])
    yield SeedsRevealed(secret, secret)
