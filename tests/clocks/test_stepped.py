"""The stepped clock of tests moves the database and the process together."""
from __future__ import annotations

import asyncio
from datetime import timedelta

from ludarium_eventstore import EventStore
from tests.support.clock import START, SteppedClock
from tests.support.waiting import in_time


async def test_database_and_process_step_together_and_sleepers_wake(store: EventStore, database_url: str) -> None:
    clock = await SteppedClock.begun(database_url)
    house = clock.server_clock(store)
    await house.learn()
    assert house.now() == await store.now() == START
    short, long = asyncio.create_task(clock.sleep(60)), asyncio.create_task(clock.sleep(61))
    await asyncio.wait([short], timeout=0)
    await clock.step(timedelta(seconds=60))
    assert house.now() == await store.now() == START + timedelta(minutes=1)
    await in_time(short)
    assert not long.done()
    await clock.step(timedelta(days=30))
    await in_time(long)
    assert house.now() == await store.now() == START + timedelta(days=30, minutes=1)
