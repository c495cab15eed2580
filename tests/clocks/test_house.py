"""The server clock limits the times of events, even if machines' clocks are wrong."""
from __future__ import annotations

import asyncio
import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

import asyncpg
import msgspec
import pytest
from msgspec.structs import replace

from ludarium.clocks.settings import LiveClock
from ludarium.platform.problems import Problem
from ludarium.tables.service import Tables
from ludarium_eventstore import Append, EventStore, Ok, Untimely
from tests.clocks.machine import Order
from tests.clocks.play import clocked, left, mover
from tests.eventstore.arrays import CALL, arguments
from tests.support.entropy import ENTROPY, seed_variables, uuid4
from tests.support.simulated import at, set_clock
from tests.support.streams import append, event
from tests.support.table_games import Silent


@pytest.mark.parametrize(("off", "taken"), [(-15.0, True), (-15.001, False), (1.0, True), (1.001, False), (3600.0, False)])
async def test_a_row_far_from_the_databases_clock_is_refused_and_nothing_beside_it(
    tables: Tables, store: EventStore, database_url: str, off: float, taken: bool
) -> None:
    await set_clock(database_url, tables, 0)
    stream, other = uuid4(), uuid4()
    row = replace(event(0), at=at(off))
    verdict = await store.append(Append(stream, 0, [row]))
    assert verdict == (Ok(0, 1) if taken else Untimely())
    assert await store.append(Append(other, 0, [replace(event(0), at=at(0))])) == Ok(0, 2 if taken else 1)
    assert await store.head(stream) == (0 if taken else None)


async def test_a_row_of_two_is_enough_and_one_that_stands_still_is_none(
    tables: Tables, store: EventStore, database_url: str
) -> None:
    await set_clock(database_url, tables, 0)
    ahead, behind, stream = replace(event(0), at=at(2)), replace(event(0), at=at(-16)), uuid4()
    now = replace(event(0), at=at(0.5))
    for rows in ([now, ahead], [behind, now]):
        assert await store.append(Append(stream, 0, rows)) == Untimely()
    assert await store.append(Append(stream, 0, [now])) == Ok(0, 1)
    await set_clock(database_url, tables, -10)
    assert await store.append(Append(stream, 1, [now])) == Ok(1, 2)               # the time of a stream never decreases


async def test_the_service_cannot_set_the_clock(store: EventStore) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await store.fetch("create or replace function es.now() returns timestamptz language sql return now()")


async def test_appends_that_are_judged_one_by_one_have_to_be_timely(store: EventStore) -> None:
    fine, old = append(uuid4(), 0), replace(event(0), at=datetime(2026, 1, 1, tzinfo=UTC))
    late = replace(append(uuid4(), 0), events=[old])
    rows = await store.fetch(CALL, *arguments([fine, late]))
    assert [(row["verdict"], row["position"]) for row in rows] == [("ok", 1), ("untimely", None)]


async def test_a_process_that_does_not_know_the_time_is_told_and_learns(store: EventStore) -> None:
    tables = Tables(store, Silent(), ENTROPY)
    tables.server_clock.epoch += timedelta(hours=1)
    with pytest.raises(Problem, match="busy"):
        await clocked(tables, LiveClock(300))
    assert await store.since(0) == []
    assert await clocked(tables, LiveClock(300))


class Machine:
    """A process whose machine's clock is wrong by `off` seconds."""

    def __init__(self, process: Process, off: float) -> None:
        self.process, self.off = process, off

    async def does(self, seconds: float, table: UUID | None = None, seat: int = 0) -> None:
        """Make the process read the server time, or answer for a seat."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(msgspec.json.encode(Order(seconds + self.off, table, seat)) + b"\n")
        assert await self.process.stdout.readline() == b"done\n"


@asynccontextmanager
async def machine(dsn: str, off: float) -> AsyncIterator[Machine]:
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.clocks.machine", dsn, stdin=PIPE, stdout=PIPE, env=os.environ | seed_variables()
    )
    try:
        yield Machine(process, off)
    finally:
        process.kill()
        await process.wait()


async def test_two_machines_with_wrong_clocks_charge_what_the_database_says(tables: Tables, database_url: str) -> None:
    """One clock is 200 ms off, the other an hour, and the latter jumps in mid-game.

    The two machines take turns.
    """
    luck, used, seconds = Random(7), [0.0, 0.0], 0.0
    await set_clock(database_url, tables, 0)
    stream = await clocked(tables, LiveClock(3600, 2))
    async with machine(database_url, 0.2) as near, machine(database_url, 3600.0) as far:
        await asyncio.gather(near.does(0), far.does(0))
        for nth in range(12):
            thought = luck.uniform(1, 2.5)
            seconds += thought
            await set_clock(database_url, None, seconds)
            view = await tables.view(stream, None, None)
            assert view.view is not None
            for seat in view.view.asked:
                used[seat] += thought
            if nth == 6:
                far.off += 1800
                await far.does(seconds)         # as it does every few seconds, and after each refused event
            await (near, far)[nth % 2].does(seconds, stream, view.view.asked[0])
    table = await tables.cache.fresh(stream)
    assert table.clocks is not None and sum(used) > 12
    assert [clock.used for clock in table.clocks.seats] == pytest.approx([1000 * each for each in used], abs=20)


async def test_a_view_tells_the_clocks_of_its_moment(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(300))
    seat = await mover(tables, table)
    await set_clock(database_url, tables, 2.5)
    view = await tables.view(table, None, None)
    assert left(view)[seat] == 297_500 and left(view)[1 - seat] == 300_000
    assert view.clocks is not None and view.clocks.as_of == "2026-03-27T12:00:02.500Z"
    assert [clock.runs for clock in view.clocks.seats] == [seat == 0, seat == 1]
