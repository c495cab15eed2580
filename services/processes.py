"""Work that would hold up the event loop, in processes of its own: threads would share its interpreter."""
from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from time import monotonic
from typing import TypeVar, TypeVarTuple, Unpack

from anyio import BrokenWorkerProcess, CapacityLimiter, fail_after
from anyio.to_process import run_sync

from services.problems import Problem

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")
STARTS = 120.0
"""Seconds in which a process starts on the busiest machine. If that counted as work, none would ever be ready there: each would
be ended before, and the next begun."""
IDLE = 60.0
"""Seconds after which a process may have ended, having had nothing to do: anyio ends them after five minutes."""


class Processes:
    """Started when they are first needed; they end with this process, even if it is killed."""

    def __init__(self, at_once: int, seconds: float, most_waiting: int) -> None:
        """seconds: that a piece of work may take, with its wait for others; one that takes longer ends with its process."""
        self._room, self._seconds, self._most_waiting = CapacityLimiter(at_once), seconds, most_waiting
        self._ready_until = 0.0

    async def run(self, work: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """What a function of some module makes of arguments that can be pickled.

        Raises TimeoutError; Problem `unavailable` if too much is waiting already; and what the function raises.
        """
        if self._room.statistics().tasks_waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        if monotonic() > self._ready_until:
            await self._start(work.__module__)
        self._ready_until = monotonic() + IDLE
        try:
            with fail_after(self._seconds):
                return await run_sync(work, *arguments, cancellable=True, limiter=self._room)
        except (TimeoutError, BrokenWorkerProcess):
            self._ready_until = 0.0
            raise

    async def _start(self, module: str) -> None:
        try:
            with fail_after(STARTS):
                await run_sync(ready, module, cancellable=True, limiter=self._room)
        except BrokenWorkerProcess as error:
            raise TimeoutError("no process started in time") from error


# --- in the process ---------------------------------------------------------------------------------------------------
def ready(module: str) -> None:
    """What the work needs is loaded."""
    import_module(module)
