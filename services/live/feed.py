"""One table as one audience sees it, and everybody's place in it.

Redis may lose, double or disorder its messages, and the log may lose its newest rows and go on with the same numbers, so each
reader takes only the event that stands behind the very row that it was told last. Whoever is behind reads the log until it is
close to the end, and what was heard and kept meanwhile; from there on the feed reads for all together, until a read comes to
the log's end and the feed was not stirred since that read began. Only the log says that a row is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from services import metrics
from services.live.channel import Push, Talk
from services.live.encoded import EncodedEvent, encoded_event
from services.live.ports import SPECTATOR, Audience, Missed, Viewpoint, WholeTable
from services.live.presence import Present
from services.problems import Problem
from services.single_flight import SingleFlight

log = logging.getLogger(__name__)

UNAVAILABLE, GONE, FORBIDDEN = 503, 404, 403
KEPT = 64
"""Events."""
PIECE = 64 * 1024
"""Bytes of events that are sent at once to one who catches up."""
RETRY = 1.0
"""Seconds until a log that could not be read is asked again."""

Page = tuple[str, Audience, int]
"""What is read of the log: a table's events for an audience, and behind which one."""
Sight = tuple[str, Audience]
T = TypeVar("T")


def feed_name(table: str, audience: Audience) -> str:
    """What clients know it by, as `sub`."""
    return f"{table}:{'spectator' if audience == SPECTATOR else audience}"


class LogReads(NamedTuple):
    """Of the log: pages of events, tables as they are now, and who may look from where."""

    pages: SingleFlight[Page, Missed]
    wholes: SingleFlight[Sight, WholeTable]
    place: Callable[[str | None, str, Audience | None], Awaitable[Viewpoint]]


class Feed:
    def __init__(self, table: str, audience: Audience, reads: LogReads) -> None:
        self.table, self.audience = table, audience
        self.name = feed_name(table, audience)
        self.stirred = 0
        """How often there was reason to look into the log."""
        self.known = -1
        """The highest number that the log is said to have."""
        self.members: set[Subscription] = set()
        self.live: set[Subscription] = set()
        """The members that have read the log to its end."""
        self.kept: dict[int, EncodedEvent] = {}
        """What was heard while somebody is behind, by number."""
        self.presence: EncodedEvent | None = None
        """Who is here, as it was told last."""
        self._reads = reads
        self._opening = b'{"sub":' + msgspec.json.encode(self.name) + b","
        self._repair: asyncio.Task[None] | None = None

    def deliver(self, push: Push) -> bool:
        """Takes an event from a commit or from Redis, or the hint that there is one; whether anybody is told it by this."""
        event, prev = push.events.get(self.audience), push.prev.hex()
        if self._is_told(push.seq, prev):
            return False
        self.known = max(self.known, push.seq)
        if event is None:
            self.look()
            return False
        told = encoded_event(self._opening, push.seq, event, prev=prev)
        contiguous = self._fan_out(push.seq, told)
        self._keep(push.seq, told, contiguous)
        if not contiguous:
            self.look()
        return bool(self.live)

    def announce(self, present: Present) -> None:
        """Tells who is here, if that is news, and each that goes live later. It has no number, and is in no log."""
        event = b'{"type":"presence","data":%b}' % msgspec.json.encode(present)
        if self.presence is not None and self.presence.event == event:
            return
        self.presence = encoded_event(self._opening, None, event, b"presence")
        for reader in self.live:
            reader.outlet.take(self.presence)

    def tell(self, said: Talk) -> None:
        """Passes on what was said at the table, to those whom it concerns. It has no number, and is in no log."""
        told = encoded_event(self._opening, None, said.event, b"chat")
        for reader in self.live:
            if said.is_for(reader.listener):
                reader.outlet.take(told)

    def reached(self, seq: int) -> None:
        """The log has come to `seq`; if that was not heard of, it is read."""
        if self.known < seq:
            self.known = seq
            self.look()

    @property
    def behind(self) -> bool:
        """Whether somebody lacks what the log is said to have, and nobody reads it: mostly a delayed audience."""
        return not self._repairing and any(reader.next <= self.known for reader in self.live)

    def look(self) -> None:
        """Has the log read for those who are live: something may have been missed."""
        self.stirred += 1
        if self.live and not self._repairing:
            self._repair = asyncio.create_task(self.guard(self._catch_up, self.live))

    def reset(self) -> None:
        """The log has lost rows that may have been told: all begin anew with the table as it is."""
        self.close()
        self.stirred += 1
        self.known = -1
        self.kept.clear()
        self.live.clear()
        for reader in self.members:
            reader.restart()

    def close(self) -> None:
        if self._repair is not None:
            self._repair.cancel()

    def encoded(self, after: int, page: Missed) -> Iterator[EncodedEvent]:
        """The pushes of a page's events: the same bytes for each member, since `sub` is the feed's own name."""
        prev = page.head or ""
        for seq, event in enumerate(page.events, after + 1):
            told = encoded_event(self._opening, seq, event, prev=prev)
            yield told
            prev = told.head

    async def missed(self, after: int) -> Missed:
        """As Log.missed, but nothing behind a row that the log has not come to."""
        try:
            return await self._reads.pages.get((self.table, self.audience, after))
        except Problem as problem:
            if problem.code != "future-sequence":
                raise
            return Missed(None, [])

    async def read_on(self, after: int) -> Missed:
        """As `missed`, but waits until the log can be read."""
        return await patiently(lambda: self.missed(after))

    async def whole(self) -> WholeTable:
        """As Log.whole, but waits until the log can be read."""
        return await patiently(lambda: self._reads.wholes.get((self.table, self.audience)))

    async def is_still_for(self, place: Viewpoint) -> bool:
        """Whether who was given this place may look from there as the log is now; waits until it can be read."""
        try:
            await patiently(lambda: self._reads.place(place.player, self.table, self.audience))
        except Problem as problem:
            if problem.kind.status not in (FORBIDDEN, GONE):
                raise
            return False
        return True

    def encoded_reset(self, whole: WholeTable) -> EncodedEvent:
        return encoded_event(self._opening, whole.seq, whole.reset, b"reset")

    async def guard(self, read: Callable[[], Awaitable[None]], readers: set["Subscription"]) -> None:
        """Nobody is left waiting for a reader that failed: they are sent away, to come again and to be told why."""
        try:
            await read()
        except Exception as error:
            if isinstance(error, Problem) and error.kind.status == GONE:
                return self._end(readers)
            log.exception("the log of %s cannot be followed", self.name)
            for reader in readers:
                reader.outlet.fail()

    def _end(self, readers: set["Subscription"]) -> None:
        """The log has lost the whole table."""
        for reader in [*readers]:
            reader.end()

    @property
    def _repairing(self) -> bool:
        return self._repair is not None and not self._repair.done()

    def _is_told(self, seq: int, prev: str) -> bool:
        """Whether nobody waits for it any more: all live ones have it, and who reads the log finds it there, or kept."""
        kept = self.kept.get(seq)
        if kept is not None and kept.prev == prev:
            return True
        return seq <= self.known and not any(reader.next <= seq for reader in self.live)

    def _keep(self, seq: int, told: EncodedEvent, contiguous: bool) -> None:
        if contiguous and not self._repairing and len(self.live) == len(self.members):
            return self.kept.clear()
        self.kept[seq] = told
        if len(self.kept) > KEPT:
            del self.kept[min(self.kept)]

    def _fan_out(self, seq: int, told: EncodedEvent) -> bool:
        """Sends the event to those who stand right before it; says whether it left nobody behind."""
        contiguous = True
        some_may_go = told.shifts or told.vacated is not None
        readers: Iterable[Subscription] = [*self.live] if some_may_go else self.live
        for reader in readers:
            if reader.is_next(told):
                reader.take(told)
            elif reader.next <= seq:
                contiguous = False
        return contiguous

    async def _catch_up(self) -> None:
        while self.live:
            stirred, after = self.stirred, min(reader.next for reader in self.live) - 1
            metrics.feed_reads.inc()
            page = await self.read_on(after)
            self._send_astray(after, page.head)
            for seq, told in enumerate(self.encoded(after, page), after + 1):
                self._fan_out(seq, told)
                self._send_astray(seq, told.head)
            for seq, told in sorted(self.kept.items()):
                self._fan_out(seq, told)
            if page.last and stirred == self.stirred:
                return

    def _send_astray(self, seq: int, head: str | None) -> None:
        """Those who stand at another row than the log has there begin anew."""
        for reader in [reader for reader in self.live if reader.next == seq + 1 and reader.head != head]:
            self.live.discard(reader)
            reader.restart()


async def patiently(read: Callable[[], Awaitable[T]]) -> T:
    """Again and again until the log can be read."""
    while True:
        try:
            return await read()
        except Problem as problem:
            if problem.kind.status != UNAVAILABLE:
                raise
        await asyncio.sleep(RETRY)


class Outlet(Protocol):
    """Where a reader's events go: a WebSocket, or an HTTP stream."""

    def take(self, *news: EncodedEvent) -> None:
        """Never waits. What is given at once is sent at once."""

    async def room(self) -> None:
        """Waits until the client has read most of what it was told, or is gone."""

    def fail(self) -> None:
        """Sends the client away for a fault of ours."""


class Subscription:
    """One reader's place in a feed: everything before `next` has been sent, and `head` is that of the row before it."""

    __slots__ = (
        "_asking", "_ended", "_over", "_stirred", "_task", "_untold", "_viewpoint", "feed", "head", "listener", "next",
        "outlet",
    )  # fmt: skip

    def __init__(
        self, feed: Feed, place: Viewpoint, outlet: Outlet, after: int, ended: Callable[["Subscription"], None],
        head: str | None = None, listener: str | None = None,
    ) -> None:  # fmt: skip
        """`ended` is called when the seat that gave the right to this is given up; nothing is told from then on.

        `head`: of the event at `after`, if the client knows it; where the log has another, it is told the whole table.
        `listener`: the player who is told what is said at the table; None if nobody is.
        """
        self.feed, self.outlet, self.next = feed, outlet, after + 1
        self.listener = listener
        self._viewpoint, self._ended, self._over, self._asking = place, ended, False, False
        self.head = head if after >= 0 else ""
        """Of the row before `next`; "" before the first, None while it is not known."""
        self._untold = True
        self._stirred = feed.stirred
        self._task: asyncio.Task[None] | None = None

    @property
    def seat(self) -> int | None:
        """The reader's own seat, if that is what it looks from."""
        return self._viewpoint.by if self._viewpoint.by == self._viewpoint.audience else None

    async def first_page(self) -> Missed:
        """What `start` may be given. Raises Problem."""
        return await self.feed.missed(self.next - 1)

    def is_next(self, told: EncodedEvent) -> bool:
        return told.seq == self.next and told.prev == self.head

    def start(self, page: Missed | None = None) -> None:
        """Without a page it reads the first one itself."""
        self._run(partial(self._catch_up, page))

    def restart(self) -> None:
        """From the table as it is; who has been told nothing yet begins where it wanted to."""
        if self._task is not None and not self._over:
            self._task.cancel()
            self._asking = False
            self._run(partial(self._begin_anew, self._untold))

    def take(self, *news: EncodedEvent) -> None:
        """The next events; only the last of them may be one with which somebody's right to look ends."""
        if self._over or self._asking:
            return
        self.next += len(news)
        self.head, self._untold = news[-1].head, False
        self.outlet.take(*news)
        vacated = news[-1].vacated
        if vacated is not None and vacated == self._viewpoint.by and self.next > self._viewpoint.seq + 1:
            self._ended(self)
        elif news[-1].shifts and self.next > self._viewpoint.seq + 1:
            self._ask_again()

    def _ask_again(self) -> None:
        """Nothing is told until the log says that it may be."""
        self._asking = True
        self.feed.live.discard(self)
        if self._task is not None:
            self._task.cancel()
        self._run(self._go_on_or_end)

    async def _go_on_or_end(self) -> None:
        if not await self.feed.is_still_for(self._viewpoint):
            return self._ended(self)
        self._asking = False
        self._viewpoint = self._viewpoint._replace(seq=self.next - 1)
        await self._catch_up(None)

    def end(self) -> None:
        """There is nothing more to be told."""
        if not self._over:
            self._ended(self)

    def cancel(self) -> None:
        self._over = True
        if self._task is not None:
            self._task.cancel()

    def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.create_task(self.feed.guard(work, {self}))

    async def _begin_anew(self, untold: bool = False) -> None:
        """untold: who has been told nothing yet needs no table in its place."""
        self._stirred = self.feed.stirred
        whole = await self.feed.whole()
        await self.outlet.room()
        if self._over:
            return
        if not await self.feed.is_still_for(self._viewpoint):
            return self._ended(self)
        if untold:
            return await self._catch_up(None)
        told = self.feed.encoded_reset(whole)
        self.next, self.head, self._untold = whole.seq + 1, told.head, False
        self._viewpoint = self._viewpoint._replace(seq=whole.seq)
        self.outlet.take(told)
        await self._catch_up(None)

    async def _catch_up(self, page: Missed | None) -> None:
        """Sends what was missed as fast as the client reads it. With what little is new since, it goes live."""
        last = False
        while not last:
            if page is None:
                self._stirred = self.feed.stirred
                page = await self.feed.read_on(self.next - 1)
            if page.head is None or page.head != (self.head or page.head):
                return await self._begin_anew()
            self.head = page.head
            await self._send(page)
            last, page = page.last, None
        if not self._over and not self._asking:
            self._go_live(complete=self._stirred == self.feed.stirred)

    def _go_live(self, complete: bool) -> None:
        self.feed.live.add(self)
        if self.feed.presence is not None:
            self.outlet.take(self.feed.presence)
        if not complete or self.next <= self.feed.known:
            self.feed.look()
        self.feed.known = max(self.feed.known, self.next - 1)

    async def _send(self, page: Missed) -> None:
        """The page, then what was kept behind it."""
        for piece in pieces(self.feed.encoded(self.next - 1, page)):
            await self.outlet.room()
            self.take(*piece)
        while not self._over and (told := self.feed.kept.get(self.next)) and self.is_next(told):
            self.take(told)


def pieces(page: Iterable[EncodedEvent]) -> Iterator[list[EncodedEvent]]:
    """What is sent at once; in between a client that reads slowly is waited for, and places are lost."""
    piece, size = list[EncodedEvent](), 0
    for told in page:
        piece.append(told)
        size += len(told.frame)
        if size > PIECE or told.shifts or told.vacated is not None:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece
