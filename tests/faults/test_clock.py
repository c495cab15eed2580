"""Wall clocks jump. Versions, positions and verdicts do not hang on them, and a stream's times never run backwards."""
from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle
from random import Random
from uuid import uuid4

import pytest
from msgspec.structs import replace

from eventstore import Append, EventStore, Ok, audit
from services.tables.tables import Tables
from tests.eventstore.streams import event
from tests.tables.games import Silent, play, started

START = datetime(2026, 3, 29, 0, 59, 59, tzinfo=UTC)
JUMPS = [timedelta(seconds=1), -timedelta(hours=1), timedelta(days=400), -timedelta(days=4000), timedelta(0)]


def jumping() -> Iterator[datetime]:
    at = START
    for jump in cycle(JUMPS):
        at += jump
        yield at


async def test_the_store_asks_no_clock_for_an_order(store: EventStore) -> None:
    streams, clock = [uuid4() for _ in range(3)], jumping()
    for version in range(10):
        for nth, stream in enumerate(streams, 1):
            row = replace(event(version), at=next(clock))
            assert await store.append(Append(stream, version, [row])) == Ok(version, 3 * version + nth)
    assert [row.version for row in await store.since(0)] == sorted([*range(10)] * 3)
    assert await audit(store) == []


async def test_a_game_goes_on_while_the_clock_jumps(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its times stand still while the clock is behind them, and the chain, which covers them, holds."""
    clock = jumping()
    monkeypatch.setattr("services.tables.tables.now", lambda: next(clock))
    tables = Tables(store, Silent())
    table = await started(tables)
    view = await play(tables, table, Random(3), most=40)
    rows = await store.read(table)
    assert [row.version for row in rows] == [*range(len(rows))]
    assert [row.at for row in rows] == sorted(row.at for row in rows)
    assert len({row.at for row in rows}) > 1
    assert (await Tables(store, Silent()).view(table, None, None)) == view          # folded, and verified on the way
