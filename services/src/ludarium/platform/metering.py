"""Measure each request's CPU time on the event loop, in threads and in processes."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from time import thread_time
from types import coroutine
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class Meter:
    """Adds up one request's CPU time, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.charge_later: Callable[[float], None] | None = None
        """Set when the request has ended; takes the seconds of work that continues."""

    def spend(self, seconds: float) -> None:
        if self.charge_later is None:
            self.seconds += seconds
        else:
            self.charge_later(seconds)


current: ContextVar[Meter | None] = ContextVar("meter", default=None)
"""The meter of the current request. Tasks and threads that a request starts inherit it."""


def spend(seconds: float) -> None:
    """Charge CPU time to the current request, if there is one."""
    if meter := current.get():
        meter.spend(seconds)


async def metered(work: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine and charge the CPU time of its steps to the current request.

    Use this once for each task, since the coroutines that a metered coroutine awaits are measured with it.
    """
    meter = current.get()
    return await (stepped(work, meter) if meter else work)


async def metered_call(work: Callable[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a coroutine function, and charge its CPU time to the current request.

    Use this to create a new task. If the task is cancelled before its first step, no coroutine has been created that
    would never be awaited.
    """
    return await metered(work(*args, **kwargs))


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread, and charge its CPU time to the current request.

    If the caller is cancelled, the thread continues, and the thread's time is still charged.
    """
    meter, loop = current.get(), asyncio.get_running_loop()

    def measured() -> T:
        began = thread_time()
        try:
            return work(*args, **kwargs)
        finally:
            if meter:
                loop.call_soon_threadsafe(meter.spend, thread_time() - began)

    return await asyncio.to_thread(measured)


@coroutine
def stepped(work: Coroutine[Any, Any, T], meter: Meter) -> Generator[Any, Any, T]:
    """Run a coroutine, and charge only the time of its own steps to the meter.

    Between two steps, the event loop runs other tasks.
    """
    value: Any = None
    error: BaseException | None = None
    while True:
        began = thread_time()
        try:
            step = work.send(value) if error is None else work.throw(error)
        except StopIteration as returned:
            result: T = returned.value
            return result
        finally:
            meter.spend(thread_time() - began)
        value, error = None, None
        try:
            value = yield step
        except BaseException as thrown:         # also GeneratorExit: the coroutine cleans up, and raises it again
            error = thrown
