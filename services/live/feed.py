"""One table as one audience sees it, and everybody's place in it.

Redis may lose, double or disorder its messages, so each reader takes only the event that is next for it. Whoever is
behind reads the log until a read finds nothing and the feed was not stirred since that read began; then comes what was
heard and kept meanwhile, so that a table on which much happens is caught up with, too.
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
KEPT = 64
"""Frames."""
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
        """How often there was reason to look into the log."""
        self.known = -1
        """The highest number that the log is said to have."""
        self.members: set[Subscription] = set()
        self.live: set[Subscription] = set()
        """The members that have read the log to its end."""
        self.kept: dict[int, bytes] = {}
        """Frames heard while somebody is behind, by number."""
        self._reads = reads
        self._opening = b'{"sub":' + msgspec.json.encode(self.name) + b","
        self._repair: asyncio.Task[None] | None = None

    def deliver(self, seq: int, event: bytes | None) -> None:
        """Takes an event from Redis, or the hint (None) that there is one at `seq`."""
        if event is None:
            self.known = max(self.known, seq)
            return self.look()
        frame = self.frame(event)
        contiguous = self._fan_out(seq, frame)
        self._keep(seq, frame, contiguous)
        if not contiguous:
            self.look()

    def look(self) -> None:
        """Has the log read for those who are live: something may have been missed."""
        self.stirred += 1
        if self.live and not self._repairing:
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

    @property
    def _repairing(self) -> bool:
        return self._repair is not None and not self._repair.done()

    def _keep(self, seq: int, frame: bytes, contiguous: bool) -> None:
        if contiguous and not self._repairing and len(self.live) == len(self.members):
            return self.kept.clear()
        self.kept[seq] = frame
        if len(self.kept) > KEPT:
            del self.kept[min(self.kept)]

    def _fan_out(self, seq: int, frame: bytes) -> bool:
        """Sends the event to those for whom it is the next one; says whether it left nobody behind."""
        self.known = max(self.known, seq)
        contiguous = True
        for reader in self.live:
            if reader.next == seq:
                reader.take(frame)
            elif reader.next < seq:
                contiguous = False
        return contiguous

    async def _catch_up(self) -> None:
        while self.live:
            stirred, after = self.stirred, min(reader.next for reader in self.live) - 1
            page = await self.read_on(after)
            for seq, event in enumerate(page, after + 1):
                self._fan_out(seq, self.frame(event))
            for seq, frame in sorted(self.kept.items()):
                self._fan_out(seq, frame)
            if not page and stirred == self.stirred:
                return


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
        await self._send(page)
        while page or self._stirred != self.feed.stirred:
            self._stirred = self.feed.stirred
            page = await self.feed.read_on(self.next - 1)
            await self._send(page)
        self.feed.live.add(self)
        if self.next <= self.feed.known:
            self.feed.look()

    async def _send(self, page: list[bytes]) -> None:
        """The page, then what was kept behind it."""
        for event in page:
            await self.outlet.room()
            self.take(self.feed.frame(event))
        while frame := self.feed.kept.get(self.next):
            self.take(frame)
