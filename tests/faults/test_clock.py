"""Processes and a database whose clocks jump.

Versions and positions do not depend on clocks, and the time never decreases within a stream.
"""
from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle
from random import Random

from msgspec.structs import replace

from ludarium.platform.problems import Problem
from ludarium.tables.service import Tables
from ludarium_eventstore import Append, EventStore, Ok, audit
from tests.support.entropy import ENTROPY, uuid4
from tests.support.simulated import START as SIMULATED
from tests.support.simulated import set_clock
from tests.support.streams import event
from tests.support.table_games import Silent, answer, started

START = datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC)
JUMPS = [timedelta(seconds=1), -timedelta(hours=1), timedelta(days=400), -timedelta(days=4000), timedelta(0)]


def jumping() -> Iterator[datetime]:
    at = START
    for jump in cycle(JUMPS):
        at += jump
        yield at


async def test_the_log_asks_no_clock_for_an_order(store: EventStore, database_url: str) -> None:
    streams, clock = [uuid4() for _ in range(3)], jumping()
    for version in range(10):
        now = next(clock)
        await set_clock(database_url, None, (now - SIMULATED).total_seconds())
        for nth, stream in enumerate(streams, 1):
            row = replace(event(version), at=now)
            assert await store.append(Append(stream, version, [row])) == Ok(version, 3 * version + nth)
    assert [row.version for row in await store.since(0)] == sorted([*range(10)] * 3)
    assert await audit(store) == []


async def test_a_game_goes_on_while_the_clock_of_its_process_jumps(store: EventStore) -> None:
    """The process is refused, reads the database's time, and the chain still verifies."""
    jumps, tables = cycle(JUMPS), Tables(store, Silent(), ENTROPY)
    table, luck = await started(tables), Random(3)
    for _ in range(40):
        jump = next(jumps)
        tables.server_clock.epoch += jump
        view = await tables.view(table, None, None)
        assert view.view is not None
        try:
            await answer(tables, table, view.view.asked[0], luck)
        except Problem as problem:
            assert problem.code == "busy" and abs(jump) > timedelta(seconds=0.9)
            await answer(tables, table, view.view.asked[0], luck)
    rows = await store.read(table)
    assert [row.version for row in rows] == [*range(len(rows))]
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    assert (await Tables(store, Silent(), ENTROPY).view(table, None, None)).head == (await tables.view(table, None, None)).head
