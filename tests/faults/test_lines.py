"""Over slow and broken connections, acknowledged appends are always in the log.

Appends without a response are made at most once.
"""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

import pytest

from ludarium_eventstore import Duplicate, EventStore, audit
from tests.faults.history import Attempt, faults
from tests.faults.line import bad_line
from tests.faults.writers import log_of, race, tried
from tests.support.entropy import ENTROPY, uuid4
from tests.support.store_proxy import Proxy, proxy
from tests.support.streams import append
from tests.support.waiting import eventually

CUTS = 40


async def test_writers_that_race_over_bad_lines(
    store: EventStore, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a short patience, some writers give up and never learn the outcome."""
    monkeypatch.setattr("ludarium_eventstore.appender.PATIENCE", 0.2)
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")                                                   # shown if it fails
    luck, stop, streams = Random(seed), asyncio.Event(), [uuid4() for _ in range(6)]
    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(bad_line(tmp_path / str(n), database_url, luck)) for n in range(3)]
        stores = [await stack.enter_async_context(await EventStore.open(line.dsn)) for line in lines]
        racing = asyncio.create_task(race([store, *stores], store, streams, stop, luck))
        await eventually(lambda: sum(line.cuts for line in lines) >= CUTS or racing.done())
        stop.set()
        attempts = await racing
    assert faults(attempts, await log_of(store)) == []
    assert await audit(store) == []
    assert {attempt.known for attempt in attempts} == {True, False}
    assert sum(attempt.version is not None for attempt in attempts) > len(streams)


async def test_a_batch_whose_answer_is_lost_again_and_again_is_made_once(
    store: EventStore, database_url: str, tmp_path: Path
) -> None:
    """The response about the outcome may be lost too."""
    async with proxy(tmp_path, database_url) as line, await EventStore.open(line.dsn) as cut:
        first = await tried(cut, append(uuid4(), 0))
        calls = [asyncio.create_task(tried(cut, append(uuid4(), 0, key=uuid4() if n % 2 else None))) for n in range(8)]
        for times in range(1, 6):
            line.lose_next_answer = True
            await eventually(partial(lost_or_done, line, times, calls))
        attempts = [first, *[await call for call in calls]]
    assert line.lost >= 2
    assert [attempt.version for attempt in attempts] == [0] * 9
    assert faults(attempts, await log_of(store)) == []


def lost_or_done(line: Proxy, times: int, calls: Sequence[asyncio.Task[Attempt]]) -> bool:
    return line.lost >= times or all(call.done() for call in calls)


async def test_who_was_told_nothing_asks_again_with_the_key(
    store: EventStore, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller gives up without a response, and later gets the outcome by the key."""
    wanted = append(uuid4(), 0, key=uuid4())
    async with proxy(tmp_path, database_url) as line, await EventStore.open(line.dsn) as cut:
        await cut.append(append(uuid4(), 0))
        line.lose_next_answer, line.accepts = True, False
        with monkeypatch.context() as impatient:
            impatient.setattr("ludarium_eventstore.appender.PATIENCE", 0.3)
            assert not (await tried(cut, wanted)).known
        line.accepts = True
        assert await cut.append(wanted) == Duplicate(0)
    assert [row.hash for row in await store.read(wanted.stream)] == [wanted.events[0].hash]
