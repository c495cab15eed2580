"""Long work beside the event loop, which meanwhile answers everybody else."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

SHORT = 100
"""Rows that are worked through at once: less work than handing it over."""
AT_ONCE = 2
"""Threads that work: they share one interpreter, more of them would only get in each other's way."""
T = TypeVar("T")


class Workers:
    def __init__(self) -> None:
        self.room = asyncio.Semaphore(AT_ONCE)

    async def run(self, rows: int, work: Callable[[], T]) -> T:
        """What `work` gives, which goes through so many rows and touches nothing that the loop changes meanwhile."""
        if rows <= SHORT:
            return work()
        async with self.room:
            return await asyncio.to_thread(work)
