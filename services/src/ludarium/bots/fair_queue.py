"""A queue of tables whose bots have to act.

Table creators take turns, regardless of how many tables they have.
"""
from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from typing import NamedTuple
from uuid import UUID

from cachetools import TTLCache

PACE = 0.01
"""Seconds between two moves at one creator's tables, in one process."""
MOST_RESTING = 100_000


class BotTable(NamedTuple):
    """A table with bots, and the player who opened it."""

    id: UUID
    creator: str


class FairQueue:
    """A queue of tables for each creator.

    After a turn, a creator's next turn is due in PACE seconds.
    """

    def __init__(self) -> None:
        self._lines: dict[str, deque[BotTable]] = {}
        self._due: list[tuple[float, str]] = []                 # heap of the next turn of each creator with a line
        self._rests: TTLCache[str, float] = TTLCache(MOST_RESTING, PACE)
        self._waiting: set[UUID] = set()
        self._in_turn: set[UUID] = set()
        self._again: set[UUID] = set()
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        """Return the number of waiting tables."""
        return len(self._waiting)

    def put(self, table: BotTable) -> None:
        """Queue a table.

        A table that is already queued stays in its place. A table whose turn is in progress is queued again after that turn.
        """
        if table.id in self._in_turn:
            self._again.add(table.id)
        elif table.id not in self._waiting:
            self._waiting.add(table.id)
            self._join(table)

    def _join(self, table: BotTable) -> None:
        line = self._lines.get(table.creator)
        if line is None:
            line = self._lines[table.creator] = deque()
            self._queue(table.creator)
        line.append(table)

    def _queue(self, creator: str) -> None:
        heappush(self._due, (self._rests.get(creator, now()), creator))
        self._changed.set()

    @contextmanager
    def turn(self, table: BotTable) -> Iterator[None]:
        """Hold a table's turn during the context, in which no other worker gets the table."""
        try:
            yield
        finally:
            self._in_turn.discard(table.id)
            if table.id in self._again:
                self._again.discard(table.id)
                self.put(table)

    async def next(self) -> BotTable:
        """Wait for and return the first table of the creator whose turn is due first.

        The caller must enter `turn`.
        """
        while not self._due or self._due[0][0] > now():
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._due[0][0] - now() if self._due else None):
                    await self._changed.wait()
        _, creator = heappop(self._due)
        return self._take(creator)

    def _take(self, creator: str) -> BotTable:
        table = self._lines[creator].popleft()
        self._waiting.discard(table.id)
        self._in_turn.add(table.id)
        self._rests[creator] = now() + PACE
        if self._lines[creator]:
            self._queue(creator)
        else:
            del self._lines[creator]
        return table


def now() -> float:
    return asyncio.get_running_loop().time()
