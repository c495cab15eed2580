"""Read the log for one audience of a table, sharing equal reads and retrying."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from ludarium.live.ports import Audience, EventsAfter, Viewpoint, WholeTable
from ludarium.platform.problems import Problem
from ludarium.platform.single_flight import SingleFlight

UNAVAILABLE, GONE, FORBIDDEN = 503, 404, 403
RETRY = 1.0
"""Seconds between attempts to read the log."""

Page = tuple[str, Audience, int]
"""A page of the log, identified by a table, an audience, and the number of the event before the page."""
TableAudience = tuple[str, Audience]
ViewerOfTable = tuple[str | None, str, Audience | None]
"""A player (None if anonymous), a table, and the audience that the player requests."""
T = TypeVar("T")


class LogReads(NamedTuple):
    """Shared reads of pages, current views, and rights to watch."""

    pages: SingleFlight[Page, EventsAfter]
    views: SingleFlight[TableAudience, WholeTable]
    viewpoints: SingleFlight[ViewerOfTable, Viewpoint]


class TableLog:
    """The log of one table for one audience."""

    def __init__(self, table: str, audience: Audience, reads: LogReads) -> None:
        self._table, self._audience, self._reads = table, audience, reads

    async def events_after(self, after: int) -> EventsAfter:
        """Return a page of events, as `Log.events_after` does.

        If the log does not reach `after`, the page is empty.
        """
        try:
            return await self._reads.pages.get((self._table, self._audience, after))
        except Problem as problem:
            if problem.code != "future-sequence":
                raise
            return EventsAfter(None, [])

    async def wait_for_events(self, after: int) -> EventsAfter:
        """Return a page of events, waiting until the log can be read."""
        return await until_available(lambda: self.events_after(after))

    async def current_view(self) -> WholeTable:
        """Return the current view, waiting until the log can be read."""
        return await until_available(lambda: self._reads.views.get((self._table, self._audience)))

    async def viewpoint(self, player: str | None) -> Viewpoint | None:
        """Return the player's right to watch, None if the player has none.

        If necessary, wait until the log can be read.
        """
        try:
            return await until_available(lambda: self._reads.viewpoints.get((player, self._table, self._audience)))
        except Problem as problem:
            if problem.kind.status not in (FORBIDDEN, GONE):
                raise
            return None


async def until_available(read: Callable[[], Awaitable[T]]) -> T:
    """Repeat a read until the log can be read."""
    while True:
        try:
            return await read()
        except Problem as problem:
            if problem.kind.status != UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY)
