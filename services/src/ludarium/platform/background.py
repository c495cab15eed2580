"""Background tasks of a process."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from ludarium.platform import metrics

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until failed work starts again. The pause doubles with each failure, up to the longest pause; if the work ran
for longer than the longest pause, the next pause is again the first."""
INSISTENCE = 1.0
"""Seconds between two cancellations of a task that does not end."""


async def endless(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run endless work until cancelled, and start it again after an error.

    Errors are logged and counted. Without the restart, one unexpected error would silently stop everything that depends
    on the work.
    """
    clock, pause = asyncio.get_running_loop().time, FIRST_PAUSE
    while True:
        began = clock()
        try:
            return await work()
        except Exception:
            pause = FIRST_PAUSE if clock() - began > LONGEST_PAUSE else pause
            log.exception("%s failed and starts again in %g s", getattr(work, "__qualname__", work), pause)
            metrics.work_failed.inc()
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


@asynccontextmanager
async def background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run work in a task while the context lasts.

    If the work fails earlier, the error is only logged.
    """
    task = started(work)
    try:
        yield
    finally:
        await ended(task)


def started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Start a task that no code awaits; an error in the task is logged at once."""
    task = asyncio.create_task(work)
    task.add_done_callback(told)
    return task


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks, repeatedly if necessary, until they have ended.

    Libraries sometimes swallow a cancellation, so one cancellation may not suffice.
    """
    while waiting := [task for task in tasks if not task.done()]:
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting, timeout=INSISTENCE)
    await asyncio.gather(*tasks, return_exceptions=True)


def told(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("%s has ended", task.get_coro(), exc_info=error)
