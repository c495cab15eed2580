"""Long work waits in a bounded queue, and never delays the work of running games."""

import asyncio
import threading
from functools import partial

import pytest

from ludarium.platform.problems import Problem
from ludarium.tables.workers import SHORT, Workers
from tests.support.waiting import eventually, in_time


async def test_a_full_queue_refuses_to_begin_and_says_when_to_ask_again() -> None:
    queue, go = Workers(at_once=1, most_waiting=2), threading.Event()
    tasks = [asyncio.create_task(queue.run(SHORT + 1, go.wait)) for _ in range(3)]

    await eventually(lambda: queue.waiting == 2)
    with pytest.raises(Problem) as refused:
        await queue.read(empty)
    assert (refused.value.code, refused.value.retry_after) == ("unavailable", 1)
    tasks.append(asyncio.create_task(queue.run(SHORT + 1, go.wait)))      # rows that have been read are always processed
    assert await queue.run(SHORT, lambda: "short") == "short"
    assert await in_time(asyncio.create_task(Workers().run(SHORT + 1, lambda: "another queue"))) == "another queue"
    go.set()
    assert await in_time(asyncio.gather(*tasks)) == [True] * 4
    assert await queue.read(empty) == []


async def empty() -> list[str]:
    return []


async def test_reads_take_turns_and_leave_the_threads_alone() -> None:
    queue, go, begun = Workers(at_once=1, most_waiting=2), asyncio.Event(), list[int]()

    async def read(nth: int) -> int:
        begun.append(nth)
        await go.wait()
        return nth

    tasks = [asyncio.create_task(queue.read(partial(read, nth))) for nth in range(3)]
    await eventually(lambda: queue.waiting == 2)
    assert begun == [0]
    assert await in_time(asyncio.create_task(queue.run(SHORT + 1, lambda: "thread"))) == "thread"
    go.set()
    assert await in_time(asyncio.gather(*tasks)) == [0, 1, 2]


async def test_cancelled_work_leaves_the_queue() -> None:
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
