"""Measure move latency in a round with 1,000 programs and 5,000 spectators."""
from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from random import Random
from statistics import quantiles
from time import monotonic
from typing import NamedTuple

import httpx

from benchmarks.live.watcher import Watcher
from benchmarks.rows import Row
from benchmarks.tournament import LINES, filled, shown
from ludarium.platform.database import database
from tests.faults.paced import Paced
from tests.faults.soak import Soak, more_files, soaking
from tests.proving import servers_at
from tests.support.people import Json
from tests.support.tournaments import Event, ready

TABLES, FEW, SEATS = 250, 10, 4
WATCHERS = 20
"""The number of watchers per table."""
PACE, LEAD, SECONDS = 2.0, 10.0, 30.0
"""Seconds between two moves at a table, before the measurement, and of the measurement. Few games end in that time. A table
whose game is over has no more moves."""
ROUND = {"format": "swiss", "seats": SEATS, "rounds": 3}


class Moves(Paced):
    pace = PACE


Heard = dict[tuple[str, int], list[float]]
"""(table, version of the event) -> the time at which each watcher received it."""


class Told(NamedTuple):
    """Result of a measurement.

    Attributes:
        p50: the median of the milliseconds from sending a move until a watcher received it.
        p99: their 99th percentile.
        moves: the number of moves.
        rate: moves per second.
    """

    p50: float
    p99: float
    moves: int
    rate: float


async def rows() -> AsyncIterator[Row]:
    more_files()
    few, all_ = [await told(tables) for tables in (FEW, TABLES)]
    yield Row(
        name=f"round: a move until a watcher has it, p99; {TABLES} tables of {SEATS}, {WATCHERS} watchers of each, a move each"
        f" {PACE:g} s", value=shown(all_.p99), unit="ms", ratio=all_.p99 / few.p99,
        beside=f"p50 {all_.p50:.0f} ms; {FEW} tables alone: p50 {few.p50:.1f} ms, p99 {few.p99:.1f} ms; {all_.moves:,} moves,"
        f" {all_.rate:.0f} a second of {TABLES / PACE:.0f}",
    )  # fmt: skip


async def told(tables: int) -> Told:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with (
            servers_at(Path(folder) / "home") as (database_url, carrier),
            soaking(database_url, carrier.url, 2, Random(tables)) as house, database(database_url) as base,
            httpx.AsyncClient(
                base_url=house.servers[0].api, timeout=60, limits=httpx.Limits(max_connections=LINES)
            ) as http,
        ):  # fmt: skip
            event = await filled(http, base, tables * SEATS, ROUND)
            round = await event.published()
            return await watched(house, event, round["tables"])


async def watched(house: Soak, event: Event, tables: Sequence[Json]) -> Told:
    heard: Heard = {}
    plays = [Moves([*event.seated(table).values()], Random(house.luck.random()), house.stop, house.line) for table in tables]
    for table in tables:
        await ready(event.seated(table), table["table"])
    watchers = [await watch(house, table["table"], heard) for table in tables for _ in range(WATCHERS)]
    async with asyncio.TaskGroup() as group:
        for play, table in zip(plays, tables, strict=True):
            group.create_task(played(play, table["table"]))
        await asyncio.sleep(LEAD)
        start = monotonic()
        await asyncio.sleep(SECONDS)
        house.stop.set()
    for watcher in watchers:
        watcher.close()
    return counted(plays, heard, start)


def counted(plays: Sequence[Moves], heard: Heard, start: float) -> Told:
    """Compute the result of a measurement.

    The last moves are left out, because the measurement may have ended before all watchers received them.
    """
    until = start + SECONDS - PACE
    moves = [(table, tried.attempt) for play in plays for table, of in play.tables.items() for tried in of
             if tried.attempt.version is not None and start <= tried.attempt.began < until]  # fmt: skip
    late = [1000 * (at - move.began) for table, move in moves for at in heard[table, move.version or 0]]
    assert len(late) == WATCHERS * len(moves), "somebody who watches was not told of a move"
    marks = quantiles(late, n=100)
    return Told(marks[49], marks[98], len(moves), len(moves) / (until - start))


async def played(play: Moves, table: str) -> None:
    play.tables[table] = []
    await play.play(table)


async def watch(house: Soak, table: str, heard: Heard) -> asyncio.Transport:
    def told(seq: int) -> None:
        heard.setdefault((table, seq), []).append(monotonic())

    server, address = house.place(table)
    transport, _ = await asyncio.get_running_loop().create_connection(
        lambda: Watcher(table, told), "127.0.0.1", server.ws_port, local_addr=(address, 0)
    )
    return transport
