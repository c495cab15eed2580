"""One table as one audience sees it, and everybody's place in it.

The rule that makes numbers contiguous: whoever is behind reads the log until a read finds nothing *and* the feed has
not stirred since that read began. From then on the hub brings whatever comes. Messages from Redis may be lost, doubled
or out of order; each reader takes only the event that is next for it.
"""

import asyncio
import logging
from collections.abc import Coroutine

import msgspec
from websockets.frames import CloseCode

from services.live.outlet import Outlet, text_frame
from services.live.ports import SPECTATOR, Audience
from services.live.reads import Reads
from services.problems import Problem

log = logging.getLogger(__name__)

UNAVAILABLE = 503
RETRY = 1.0
"""Seconds until a log that could not be read is asked again."""


def feed_name(table: str, audience: Audience) -> str:
    """What clients know it by, as `sub`."""
    return f"{table}:{'spectator' if audience == SPECTATOR else audience}"


class Feed:
    def __init__(self, table: str, audience: Audience, reads: Reads) -> None:
        self.table, self.audience = table, audience
        self.name = feed_name(table, audience)
        self.stirred = 0
        """How often there was reason to believe that the log has grown."""
        self.members: set[Subscription] = set()
        self.live: set[Subscription] = set()
        """The members that have read the log to its end."""
        self._reads = reads
        self._opening = b'{"sub":' + msgspec.json.encode(self.name) + b","
        self._repair: asyncio.Task[None] | None = None

    def deliver(self, seq: int, event: bytes | None) -> None:
        """Takes an event from Redis, or the hint (None) that there is one at `seq`."""
        self.stirred += 1
        if event is None or not self._fan_out(seq, event):
            self.look()

    def look(self) -> None:
        """Has the log read for those who are live: something may have been missed."""
        self.stirred += 1
        if self.live and (self._repair is None or self._repair.done()):
            self._repair = asyncio.create_task(self.guard(self._catch_up(), self.live))

    def close(self) -> None:
        if self._repair is not None:
            self._repair.cancel()

    def frame(self, event: bytes) -> bytes:
        """The push of an event: the same bytes for each member, since `sub` is the feed's own name."""
        return text_frame(self._opening + event[1:])

    async def missed(self, after: int) -> list[bytes]:
        """As Log.missed. Raises Problem."""
        return await self._reads.missed(self.table, self.audience, after)

    async def read_on(self, after: int) -> list[bytes]:
        """As `missed`, but waits until the log can be read."""
        while True:
            try:
                return await self.missed(after)
            except Problem as problem:
                if problem.kind.status != UNAVAILABLE:
                    raise
            await asyncio.sleep(RETRY)

    async def guard(self, reading: Coroutine[None, None, None], readers: set["Subscription"]) -> None:
        """Nobody is left waiting for a reader that failed: they are sent away, to come again and to be told why."""
        try:
            await reading
        except Exception:
            log.exception("the log of %s cannot be followed", self.name)
            for reader in readers:
                reader.outlet.close(CloseCode.INTERNAL_ERROR, "internal error")

    def _fan_out(self, seq: int, event: bytes) -> bool:
        """Sends the event to those for whom it is the next one; says whether it left nobody behind."""
        frame, contiguous = self.frame(event), True
        for reader in self.live:
            if reader.next == seq:
                reader.take(frame)
            elif reader.next < seq:
                contiguous = False
        return contiguous

    async def _catch_up(self) -> None:
        stirred, page = -1, list[bytes]()
        while self.live and (page or stirred != self.stirred):
            stirred, after = self.stirred, min(reader.next for reader in self.live) - 1
            page = await self.read_on(after)
            for seq, event in enumerate(page, after + 1):
                self._fan_out(seq, event)


class Subscription:
    """One reader's place in a feed: everything before `next` has been sent."""

    __slots__ = ("_stirred", "_task", "feed", "next", "outlet")

    def __init__(self, feed: Feed, outlet: Outlet, after: int) -> None:
        self.feed, self.outlet, self.next = feed, outlet, after + 1
        self._stirred = feed.stirred
        self._task: asyncio.Task[None] | None = None

    async def first_page(self) -> list[bytes]:
        """What `start` needs; raises the Problem that there is with `after`."""
        return await self.feed.missed(self.next - 1)

    def start(self, page: list[bytes]) -> None:
        self._task = asyncio.create_task(self.feed.guard(self._catch_up(page), {self}))

    def take(self, frame: bytes) -> None:
        self.next += 1
        self.outlet.write(frame)

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _catch_up(self, page: list[bytes]) -> None:
        """Sends what was missed as fast as the client reads it, then goes live."""
        while page or self._stirred != self.feed.stirred:
            for event in page:
                await self.outlet.room()
                self.take(self.feed.frame(event))
            self._stirred = self.feed.stirred
            page = await self.feed.read_on(self.next - 1)
        self.feed.live.add(self)
