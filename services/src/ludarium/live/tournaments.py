"""Send the events of tournaments to followers, each event once and in order."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol, Self

from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event
from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)

TICK = 0.5
"""Seconds between two polls. A poll is a query for each tournament followed in this process."""
MOST = 200
"""Maximum number of tournaments followed in one process."""
PAGE = 200
"""Maximum number of events of a tournament that one poll reads."""
NumberedEvent = tuple[int, bytes]
"""An event's number and JSON."""


class TournamentLog(Protocol):
    async def rows(self, tournament: str, after: int, most: int) -> Sequence[NumberedEvent]:
        """Return the events after `after`.

        Raises:
            Problem: `not-found`, or one with status 503 while the events cannot be read.
        """


class TournamentFeeds:
    """The tournaments followed in this process, and each follower's position."""

    def __init__(self, rows: TournamentLog) -> None:
        self._rows = rows
        self._followers: dict[str, dict[Outlet, int]] = {}

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._watch))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    async def check(self, tournament: str, after: int) -> None:
        """Raise a Problem unless a follower can be added.

        Raises:
            Problem: `not-found`, `future-sequence`, `too-many-subscriptions`.
        """
        if not await self._rows.rows(tournament, max(after, 0) - 1, 1):
            raise Problem("future-sequence")
        if tournament not in self._followers and len(self._followers) >= MOST:
            raise Problem("too-many-subscriptions", "too many different tournaments are followed here")

    def follow(self, tournament: str, after: int, outlet: Outlet) -> None:
        self._followers.setdefault(tournament, {})[outlet] = after

    def leave(self, tournament: str, outlet: Outlet) -> None:
        followers = self._followers.get(tournament, {})
        followers.pop(outlet, None)
        if not followers:
            self._followers.pop(tournament, None)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            for tournament in [*self._followers]:
                try:
                    await self._look(tournament)
                except Problem as problem:
                    log.debug("tournament %s cannot be read: %s", tournament, problem)

    async def _look(self, tournament: str) -> None:
        known = self._followers.get(tournament)
        if not known:
            return
        rows = await self._rows.rows(tournament, min(known.values()), PAGE)
        told = [(seq, encoded(tournament, seq, row)) for seq, row in rows]
        for outlet, last in [*self._followers.get(tournament, {}).items()]:
            self._tell(tournament, outlet, last, told)

    def _tell(self, tournament: str, outlet: Outlet, last: int, told: Sequence[tuple[int, EncodedEvent]]) -> None:
        """Send a follower the events after `last`.

        If earlier events are missing in `told`, nothing is sent, and the follower gets the events in a later poll.
        """
        if told and told[0][0] <= last + 1:
            outlet.send(*(event for seq, event in told if seq > last))
            self._followers[tournament][outlet] = max(last, told[-1][0])


def name_of(tournament: str) -> str:
    """Return the subscription name (`sub`) of a tournament."""
    return f"tournament:{tournament}"


def encoded(tournament: str, seq: int, row: bytes) -> EncodedEvent:
    return encoded_event(b'{"sub":"%b",' % name_of(tournament).encode(), seq, row)
