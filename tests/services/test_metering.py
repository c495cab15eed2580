"""The CPU time of a request is counted wherever its work runs."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import thread_time

import pytest

from ludarium.platform.metering import Meter, current, in_thread, metered, metered_call
from ludarium.platform.processes import Processes
from ludarium.platform.single_flight import SingleFlight
from tests.support.waiting import eventually, in_time

BURNT = 0.05


def burn(seconds: float = BURNT) -> float:
    end = thread_time() + seconds
    while thread_time() < end:
        pass
    return seconds


@asynccontextmanager
async def counting() -> AsyncIterator[Meter]:
    meter = Meter()
    token = current.set(meter)
    yield meter
    current.reset(token)


async def work(others: asyncio.Task[None]) -> str:
    """Work in two steps, between which other tasks work."""
    burn()
    await others
    burn()
    return "done"


async def others() -> None:
    burn(0.5)


async def test_the_steps_of_a_coroutine_are_counted_but_not_the_time_between_them() -> None:
    async with counting() as meter:
        assert await metered(work(asyncio.create_task(others()))) == "done"
    assert 2 * BURNT <= meter.seconds < 0.5


async def test_threads_processes_and_shared_reads_are_counted() -> None:
    async def read(key: str) -> float:
        return burn()

    reads = SingleFlight(read, 1)
    async with counting() as meter:
        await in_thread(burn)
        threads = meter.seconds
        await Processes(1, 30, 1).run(burn, BURNT)
        processes = meter.seconds - threads
        await reads.get("a")
        shared = meter.seconds - threads - processes
    assert min(threads, processes, shared) >= BURNT


async def test_work_that_outlives_its_request_is_charged_later() -> None:
    later, begun, go = list[float](), threading.Event(), threading.Event()

    def long() -> None:
        begun.set()
        go.wait()
        burn()

    async with counting() as meter:
        task = asyncio.create_task(in_thread(long))
        await eventually(begun.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    meter.charge_later = later.append
    go.set()
    await eventually(lambda: later)
    assert later[0] >= BURNT and meter.seconds == 0


async def test_work_that_is_cut_off_is_charged() -> None:
    async with counting() as meter:
        with pytest.raises(TimeoutError):
            await Processes(1, BURNT, 1).run(burn, 60.0)
    assert meter.seconds == pytest.approx(BURNT)


async def test_a_failure_and_a_cancellation_reach_the_coroutine() -> None:
    seen, begun = [], asyncio.Event()

    async def failing() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async with counting() as meter:
        task = asyncio.create_task(metered(failing()))
        await in_time(begun.wait())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ZeroDivisionError):
            await metered(dividing())
    assert seen == ["cancelled"] and meter.seconds > 0


async def dividing() -> float:
    return 1 / 0


async def test_without_a_request_nothing_is_counted() -> None:
    assert current.get() is None
    assert await metered(work(asyncio.create_task(others()))) == "done"
    assert await in_thread(burn, 0.01) == 0.01


async def test_a_task_that_is_cancelled_before_it_begins_leaves_no_coroutine_behind() -> None:
    async def work() -> None:
        raise AssertionError("it never begins")

    task = asyncio.create_task(metered_call(work))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    gc.collect()                                # a coroutine that is never awaited would warn, which is an error here
