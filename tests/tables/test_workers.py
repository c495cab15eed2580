"""Long work waits in a queue of a bounded length, and work that games wait for never waits behind it."""

import asyncio
import threading

import pytest

from services.problems import Problem
from services.tables.workers import SHORT, Workers
from tests.support.waiting import eventually, in_time


async def test_a_full_queue_refuses_and_says_when_to_ask_again() -> None:
    queue, go = Workers(at_once=1, most_waiting=2), threading.Event()
    tasks = [asyncio.create_task(queue.run(SHORT + 1, go.wait)) for _ in range(3)]

    await eventually(lambda: queue.waiting == 2)
    with pytest.raises(Problem) as refused:
        await queue.run(SHORT + 1, lambda: None)
    assert (refused.value.code, refused.value.retry_after) == ("unavailable", 1)
    assert await queue.run(SHORT, lambda: "short") == "short"
    assert await in_time(asyncio.create_task(Workers().run(SHORT + 1, lambda: "another queue"))) == "another queue"
    go.set()
    assert await in_time(asyncio.gather(*tasks)) == [True] * 3
    assert await queue.run(SHORT + 1, lambda: "room again") == "room again"


async def test_who_stops_waiting_leaves_the_queue() -> None:
    queue, go = Workers(at_once=1, most_waiting=1), threading.Event()
    working, waiting = [asyncio.create_task(queue.run(SHORT + 1, go.wait)) for _ in range(2)]
    await eventually(lambda: queue.waiting == 1)
    waiting.cancel()
    await asyncio.wait([waiting])
    another = asyncio.create_task(queue.run(SHORT + 1, lambda: "another"))
    await eventually(lambda: queue.waiting == 1)
    go.set()
    assert await in_time(another) == "another" and await in_time(working)
    with pytest.raises(asyncio.CancelledError):
        await waiting
