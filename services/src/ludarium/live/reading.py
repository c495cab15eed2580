"""The log as one audience of a table reads it: for all its readers at once, and as long as it takes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from ludarium.live.ports import Audience, EventsAfter, Viewpoint, WholeTable
from ludarium.platform.problems import Problem
from ludarium.platform.single_flight import SingleFlight

UNAVAILABLE, GONE, FORBIDDEN = 503, 404, 403
RETRY = 1.0
"""Seconds until a log that could not be read is asked again."""

Page = tuple[str, Audience, int]
"""What is read of the log: a table's events for an audience, and behind which one."""
TableAudience = tuple[str, Audience]
ViewerOfTable = tuple[str | None, str, Audience | None]
"""A player, if there is one, a table, and the audience as which they look at it."""
T = TypeVar("T")


class LogReads(NamedTuple):
    """Of the log: pages of events, tables as they are now, and who may look from where."""

    pages: SingleFlight[Page, EventsAfter]
    views: SingleFlight[TableAudience, WholeTable]
    viewpoints: SingleFlight[ViewerOfTable, Viewpoint]


class TableLog:
    """One table's, for one audience."""

    def __init__(self, table: str, audience: Audience, reads: LogReads) -> None:
        self._table, self._audience, self._reads = table, audience, reads

    async def events_after(self, after: int) -> EventsAfter:
        """As Log.missed, but nothing behind a row that the log has not come to."""
        try:
            return await self._reads.pages.get((self._table, self._audience, after))
        except Problem as problem:
            if problem.code != "future-sequence":
                raise
            return EventsAfter(None, [])

    async def wait_for_events(self, after: int) -> EventsAfter:
        """As `missed`, but waits until the log can be read."""
        return await until_available(lambda: self.events_after(after))

    async def current_view(self) -> WholeTable:
        """As Log.whole, but waits until the log can be read."""
        return await until_available(lambda: self._reads.views.get((self._table, self._audience)))

    async def viewpoint(self, player: str | None) -> Viewpoint | None:
        """By what the player looks from here now, None if they may not; waits until the log can be read."""
        try:
            return await until_available(lambda: self._reads.viewpoints.get((player, self._table, self._audience)))
        except Problem as problem:
            if problem.kind.status not in (FORBIDDEN, GONE):
                raise
            return None


async def until_available(read: Callable[[], Awaitable[T]]) -> T:
    """Again and again until the log can be read."""
    while True:
        try:
            return await read()
        except Problem as problem:
            if problem.kind.status != UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY)
