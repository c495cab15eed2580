"""Tables followed over HTTP: the same feeds as the WebSocket's, one table a response."""

import random
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Self

from services.live.callers import Callers
from services.live.feed import Subscription
from services.live.hub import Hub
from services.live.limits import LiveLimits
from services.live.messages import Ended, GoingAway
from services.live.personal import Personal
from services.live.ports import Audience, Log, Viewpoint
from services.live.stream_outlet import Format, StreamOutlet


class Streams:
    """The HTTP streams of one process. Leaving `async with` ends them all, and each that still begins."""

    def __init__(
        self, hub: Hub, log: Log, personal: Personal, callers: Callers, limits: LiveLimits | None = None
    ) -> None:
        self._hub, self._log, self._personal = hub, log, personal
        self._callers, self._limits = callers, limits or LiveLimits()
        self._open: set[StreamOutlet] = set()
        self._draining = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._draining = True
        for lines in self._open:
            self._send_away(lines)

    async def table(
        self, player: str | None, table: str, as_: Audience | None, after: int, head: str | None, address: str,
        format: Format,
    ) -> AsyncIterator[bytes]:  # fmt: skip
        """The table's events behind `after` as chunks of a response, without end. `head`: as Subscription has it.

        Raises Problem as Log.place does, and `future-sequence`, `too-many-connections`.
        """
        self._callers.admit(address)
        place = await self._log.place(player, table, as_)
        place.check_reached(after, head)
        return self._follow(table, place, after, head, address, StreamOutlet(format, self._limits.buffer))

    async def _follow(
        self, table: str, place: Viewpoint, after: int, head: str | None, address: str, lines: StreamOutlet
    ) -> AsyncIterator[bytes]:
        def ended(lost: Subscription) -> None:
            lines.part(Ended(sub=lost.feed.name))

        subscription = self._hub.follow(table, place, lines, after, ended, head)
        subscription.start()
        try:
            with self._callers.counted(address), self._listed(lines):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._hub.leave(subscription)

    def me(self, player: str, address: str, format: Format) -> AsyncIterator[bytes]:
        """What concerns the player. Raises Problem `too-many-connections`."""
        self._callers.admit(address)
        return self._follow_player(player, address, StreamOutlet(format, self._limits.buffer))

    async def _follow_player(self, player: str, address: str, lines: StreamOutlet) -> AsyncIterator[bytes]:
        self._personal.follow(player, lines)
        try:
            with self._callers.counted(address), self._listed(lines):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._personal.leave(player, lines)

    @contextmanager
    def _listed(self, lines: StreamOutlet) -> Iterator[None]:
        self._open.add(lines)
        if self._draining:
            self._send_away(lines)
        try:
            yield
        finally:
            self._open.discard(lines)

    def _send_away(self, lines: StreamOutlet) -> None:
        lines.part(GoingAway(retry_after_ms=round(random.uniform(0, self._limits.spread) * 1000)))
