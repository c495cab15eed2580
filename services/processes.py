"""Work that would hold up the event loop, in processes of its own: threads would share its interpreter."""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple, Unpack

from anyio import CapacityLimiter, fail_after
from anyio.to_process import run_sync

from services.problems import Problem

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class Processes:
    """Started when they are first needed; they end with this process, even if it is killed."""

    def __init__(self, at_once: int, seconds: float, most_waiting: int) -> None:
        """seconds: that a piece of work may take, with its wait for a process; one that takes longer ends with its process."""
        self._room, self._seconds, self._most_waiting = CapacityLimiter(at_once), seconds, most_waiting

    async def run(self, work: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """What a function of some module makes of arguments that can be pickled.

        Raises TimeoutError; Problem `unavailable` if too much is waiting already; and what the function raises.
        """
        if self._room.statistics().tasks_waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        with fail_after(self._seconds):
            return await run_sync(work, *arguments, cancellable=True, limiter=self._room)
