"""Send changes in filtered lists of tables, which form the lobby.

Each list is polled and compared with the previous poll. A new reader is sent the whole list, then each change once, with
at most one change for each table in a poll. Readers with the same filter share a list.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol, Self

import msgspec

from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event
from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)

NAME = "lobby"
"""The subscription name (`sub`) of the lobby."""
TICK = 1.0
"""Seconds between two polls."""
MOST = 50
"""Maximum number of tables in a list; only the first ones are sent."""
MOST_FILTERS = 500
"""Maximum number of different filters in one process. Each filter costs a query in each poll."""
OPENING = b'{"sub":"lobby",'


Status = Literal["open", "playing", "over"]
Pace = Literal["live", "turn-based", "none"]
Order = Literal["newest", "people"]


class LobbyFilter(NamedTuple):
    """A filter for lists of tables.

    Attributes:
        follower: if given, only the tables of players whom this player follows.
    """

    status: Status | None = None
    ruleset: str | None = None
    seats: int | None = None
    clock: Pace | None = None
    rated: bool | None = None
    order: Order = "newest"
    follower: str | None = None


Shown = Mapping[str, bytes]
"""Tables by id, each as JSON."""


class LobbySource(Protocol):
    async def shown(self, wish: LobbyFilter, most: int) -> Shown:
        """Return the first tables of a list.

        Args:
            wish: the filter.
            most: the maximum number of tables.

        Raises:
            Problem: with status 503, while the list cannot be read.
        """


class Lobby:
    """The filters that are followed in this process, and their readers."""

    def __init__(self, lists: LobbySource) -> None:
        self._lists = lists
        self._outlets: dict[LobbyFilter, set[Outlet]] = {}
        self._known: dict[LobbyFilter, Shown] = {}

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._watch))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    def check(self, wish: LobbyFilter) -> None:
        """Raise Problem `too-many-subscriptions` if there is no room for another filter."""
        if wish not in self._outlets and len(self._outlets) >= MOST_FILTERS:
            raise Problem("too-many-subscriptions", "too many different lists are watched here")

    def follow(self, wish: LobbyFilter, outlet: Outlet) -> None:
        self._outlets.setdefault(wish, set()).add(outlet)
        if wish in self._known:
            outlet.send(whole(self._known[wish]))

    def leave(self, wish: LobbyFilter, outlet: Outlet) -> None:
        outlets = self._outlets.get(wish, set())
        outlets.discard(outlet)
        if not outlets:
            self._outlets.pop(wish, None)
            self._known.pop(wish, None)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                for wish in [*self._outlets]:
                    self._tell(wish, await self._lists.shown(wish, MOST))
            except Problem as problem:
                log.debug("the lobby cannot be read: %s", problem)

    def _tell(self, wish: LobbyFilter, shown: Shown) -> None:
        if wish not in self._outlets:
            return                              # the last reader has left
        before, self._known[wish] = self._known.get(wish), shown
        for told in [whole(shown)] if before is None else changes(before, shown):
            for outlet in [*self._outlets[wish]]:
                outlet.send(told)


def whole(shown: Shown) -> EncodedEvent:
    return _told("tables", b'{"tables":[%b]}' % b",".join(shown.values()))


def changes(before: Shown, after: Shown) -> Iterator[EncodedEvent]:
    """Yield messages about removed tables, then about new or changed ones, last first."""
    for table in before.keys() - after.keys():
        yield _told("gone", msgspec.json.encode({"table": table}))
    for table, body in reversed([*after.items()]):
        if before.get(table) != body:
            yield _told("table", body)


def _told(type: str, data: bytes) -> EncodedEvent:
    return encoded_event(OPENING, None, b'{"type":"%b","data":%b}' % (type.encode(), data), b"message")
