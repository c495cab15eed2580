"""Work beside the rest of a process."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from ludarium.platform import metrics

log = logging.getLogger(__name__)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds until failed work starts again: the pause doubles each time, unless the work ran longer than the longest."""
INSISTENCE = 1.0
"""Seconds until a task that should have ended is told again."""


async def endless(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run work that is meant to go on until it is cancelled. If it fails, log the error, count it and start again.

    Without this, one unexpected error would stop for good whatever depends on the work, and nothing would show it.
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
    """Runs it for as long as the context lasts. Should it fail before, that is logged, and stops nothing else."""
    task = started(work)
    try:
        yield
    finally:
        await ended(task)


def started(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task that is not awaited before its end: should it fail, that is logged at once."""
    task = asyncio.create_task(work)
    task.add_done_callback(told)
    return task


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Cancels them until they have ended: a library that answers just then may swallow the first time."""
    while waiting := [task for task in tasks if not task.done()]:
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting, timeout=INSISTENCE)
    await asyncio.gather(*tasks, return_exceptions=True)


def told(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("%s has ended", task.get_coro(), exc_info=error)
