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

import msgspec

from ludarium.live.channel import ChatPush, Push
from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event, pieces
from ludarium.live.ports import EventRef, EventsAfter, ViewChannel, Viewpoint, WholeTable, feed_name
from ludarium.live.presence import Present
from ludarium.live.reading import GONE, LogReads, TableLog
from ludarium.platform import metrics
from ludarium.platform.metering import metered_call
from ludarium.platform.problems import Problem
from ludarium.platform.view_channel import audience_of

log = logging.getLogger(__name__)

MOST_RECENT = 64
"""Events."""


class Feed:
    def __init__(self, table: str, look: ViewChannel, reads: LogReads) -> None:
        self.table, self.channel, audience = table, look, audience_of(look)
        self.name = feed_name(table, audience)
        self.read_requests = 0
        """How often there was reason to look into the log."""
        self.known = -1
        """The highest number that the log is said to have."""
        self.members: set[Subscription] = set()
        self.live: set[Subscription] = set()
        """The members that have read the log to its end."""
        self.recent: dict[int, EncodedEvent] = {}
        """What was heard while somebody is behind, by number."""
        self.presence: EncodedEvent | None = None
        """Who is here, as it was told last."""
        self.log = TableLog(table, audience, reads)
        self._opening = b'{"sub":' + msgspec.json.encode(self.name) + b","
        self._repair: asyncio.Task[None] | None = None

    def deliver(self, push: Push) -> bool:
        """Takes an event from a commit or from Redis, or the hint that there is one; whether anybody is told it by this."""
        event, prev = push.events.get(self.channel), push.prev.hex()
        if self._is_delivered(push.seq, prev):
            return False
        self.known = max(self.known, push.seq)
        if event is None:
            self.read_log()
            return False
        told = encoded_event(self._opening, push.seq, event, prev=prev)
        contiguous = self._fan_out(push.seq, told)
        self._remember(push.seq, told, contiguous)
        if not contiguous:
            self.read_log()
        return bool(self.live)

    def send_presence(self, present: Present) -> None:
        """Tells who is here, if that is news, and each that goes live later. It has no number, and is in no log."""
        event = b'{"type":"presence","data":%b}' % msgspec.json.encode(present)
        if self.presence is not None and self.presence.event == event:
            return
        self.presence = encoded_event(self._opening, None, event, b"presence")
        for reader in self.live:
            reader.outlet.send(self.presence)

    def send_chat(self, said: ChatPush) -> None:
        """Passes on what was said at the table, to those whom it concerns. It has no number, and is in no log."""
        told = encoded_event(self._opening, None, said.event, b"chat")
        for reader in self.live:
            if said.is_for(reader.listener):
                reader.outlet.send(told)

    def send_rematch(self) -> None:
        """Which table it is depends on who asks, and the table tells it. It has no number, and is in no log."""
        told = encoded_event(self._opening, None, b'{"type":"rematch"}', b"rematch")
        for reader in self.live:
            reader.outlet.send(told)

    def log_reached(self, seq: int) -> None:
        """The log has come to `seq`; if that was not heard of, it is read."""
        if self.known < seq:
            self.known = seq
            self.read_log()

    @property
    def lacks_events(self) -> bool:
        """Whether somebody lacks what the log is said to have, and nobody reads it: mostly a delayed audience."""
        return not self._repairing and any(reader.next <= self.known for reader in self.live)

    @property
    def settled(self) -> bool:
        """Whether all members are live and the log is not being read for them."""
        return len(self.live) == len(self.members) and not self._repairing

    def read_log(self) -> None:
        """Has the log read for those who are live: something may have been missed."""
        self.read_requests += 1
        if self.live and not self._repairing:
            self._repair = asyncio.create_task(self.guard(self._catch_up, self.live))

    def forget_pushes(self, known: int = -1) -> None:
        """Forget all that only pushes say about the log: it may have lost events.

        Args:
            known: the number of the table's newest event, -1 if that is not known.
        """
        self.known = known
        self.recent.clear()
        self.read_requests += 1
        if self.lacks_events:
            self.read_log()

    def close(self) -> None:
        if self._repair is not None:
            self._repair.cancel()
            self._repair = None                 # it holds the feed

    def encoded(self, after: int, page: EventsAfter) -> Iterator[EncodedEvent]:
        """The pushes of a page's events: the same bytes for each member, since `sub` is the feed's own name."""
        prev = page.head or ""
        for seq, event in enumerate(page.events, after + 1):
            told = encoded_event(self._opening, seq, event, prev=prev)
            yield told
            prev = told.head

    def encoded_reset(self, whole: WholeTable) -> EncodedEvent:
        return encoded_event(self._opening, whole.seq, whole.reset, b"reset")

    async def guard(self, read: Callable[[], Awaitable[None]], readers: set["Subscription"]) -> None:
        """Nobody is left waiting for a reader that failed: they are sent away, to come again and to be told why."""
        try:
            await read()
        except Exception as error:
            if isinstance(error, Problem) and error.kind.status == GONE:
                return self._end_all(readers)
            log.exception("the log of %s cannot be followed", self.name)
            for reader in readers:
                reader.outlet.fail()

    def _end_all(self, readers: set["Subscription"]) -> None:
        """The log has lost the whole table."""
        for reader in [*readers]:
            reader.end()

    @property
    def _repairing(self) -> bool:
        return self._repair is not None and not self._repair.done()

    def _is_delivered(self, seq: int, prev: str) -> bool:
        """Whether nobody waits for it any more: all live ones have it, and who reads the log finds it there, or kept."""
        kept = self.recent.get(seq)
        if kept is not None and kept.prev == prev:
            return True
        return seq <= self.known and not any(reader.next <= seq for reader in self.live)

    def _remember(self, seq: int, told: EncodedEvent, contiguous: bool) -> None:
        if contiguous and not self._repairing and len(self.live) == len(self.members):
            return self.recent.clear()
        self.recent[seq] = told
        if len(self.recent) > MOST_RECENT:
            del self.recent[min(self.recent)]

    def _fan_out(self, seq: int, told: EncodedEvent) -> bool:
        """Sends the event to those who stand right before it; says whether it left nobody behind."""
        contiguous = True
        some_may_go = told.shifts or told.closes or told.vacated is not None
        readers: Iterable[Subscription] = [*self.live] if some_may_go else self.live
        for reader in readers:
            if reader.is_next(told):
                reader.send(told)
            elif reader.next <= seq:
                contiguous = False
        return contiguous

    async def _catch_up(self) -> None:
        while self.live:
            stirred, after = self.read_requests, min(reader.next for reader in self.live) - 1
            metrics.feed_reads.inc()
            page = await self.log.wait_for_events(after)
            self.known = max(self.known, page.known)
            self._restart_diverged(after, page.head)
            for seq, told in enumerate(self.encoded(after, page), after + 1):
                self._fan_out(seq, told)
                self._restart_diverged(seq, told.head)
            for seq, told in sorted(self.recent.items()):
                self._fan_out(seq, told)
            if page.last and stirred == self.read_requests:
                return

    def _restart_diverged(self, seq: int, head: str | None) -> None:
        """Those who stand at another row than the log has there begin anew."""
        for reader in [reader for reader in self.live if reader.next == seq + 1 and reader.head != head]:
            self.live.discard(reader)
            reader.restart()


class Subscription:
    """One reader's place in a feed: everything before `next` has been sent, and `head` is that of the row before it."""

    __slots__ = (
        "_cancelled",
        "_checking",
        "_ended",
        "_nothing_sent",
        "_read_requests",
        "_task",
        "_viewpoint",
        "feed",
        "head",
        "listener",
        "next",
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
        self._viewpoint, self._ended, self._cancelled, self._checking = place, ended, False, False
        self.head = head if after >= 0 else ""
        """Of the row before `next`; "" before the first, None while it is not known."""
        self._nothing_sent = True
        self._read_requests = feed.read_requests
        self._task: asyncio.Task[None] | None = None

    @property
    def by_invitation(self) -> bool:
        """Whether nothing but an invitation lets them look, which may be taken back without an event."""
        return self._viewpoint.guest

    @property
    def sent(self) -> EventRef | None:
        """The event that was sent last, if there is one."""
        return EventRef(self.next - 1, self.head) if self.head and not self._nothing_sent else None

    @property
    def decided_at(self) -> EventRef | None:
        """The table's newest event when the right to look was decided."""
        return self._viewpoint.row

    @property
    def seat(self) -> int | None:
        """The reader's own seat, if that is what it looks from."""
        return self._viewpoint.by if self._viewpoint.by == self._viewpoint.audience else None

    async def first_page(self) -> EventsAfter:
        """What `start` may be given. Raises Problem."""
        return await self.feed.log.events_after(self.next - 1)

    def is_next(self, told: EncodedEvent) -> bool:
        return told.seq == self.next and told.prev == self.head

    def start(self, page: EventsAfter | None = None) -> None:
        """Without a page it reads the first one itself. The current request pays for what is sent until it is live."""
        self._task = asyncio.create_task(metered_call(self.feed.guard, partial(self._catch_up, page), {self}))

    def restart(self) -> None:
        """From the table as it is; who has been told nothing yet begins where it wanted to."""
        if self._task is not None and not self._cancelled:
            self._task.cancel()
            self._checking = False
            self._run(partial(self._reset, self._nothing_sent))

    def send(self, *news: EncodedEvent) -> None:
        """The next events; only the last of them may be one with which somebody's right to look ends."""
        if self._cancelled or self._checking or not news:
            return
        if self._viewpoint.guest and news[-1].closes:
            self.send(*news[:-1])
            return self.recheck_access()
        self.next += len(news)
        self.head, self._nothing_sent = news[-1].head, False
        self.outlet.send(*news)
        vacated = news[-1].vacated
        if vacated is not None and vacated == self._viewpoint.by and self.next > self._viewpoint.seq + 1:
            self._ended(self)
        elif news[-1].shifts and self.next > self._viewpoint.seq + 1:
            self.recheck_access()

    def recheck_access(self) -> None:
        """Nothing is told until the table says that it may be."""
        if self._interrupt():
            self._checking = True
            self._run(self._recheck)

    def read_again(self) -> None:
        """Read the log on from here: if it has another event here, or none, the reader gets a reset."""
        if self._interrupt():
            self._run(partial(self._catch_up, None))

    def _interrupt(self) -> bool:
        """End what is being sent; False before the start, after the end, and while the right to look is checked."""
        if self._cancelled or self._checking or self._task is None:
            return False
        self.feed.live.discard(self)
        self._task.cancel()
        return True

    async def _recheck(self) -> None:
        if not await self._may_view(self.next - 1):
            return self._ended(self)
        self._checking = False
        await self._catch_up(None)

    async def _may_view(self, seq: int) -> bool:
        """Whether they may look from here still, by whatever it is now; it is known to hold up to `seq`."""
        place = await self.feed.log.viewpoint(self._viewpoint.player)
        if place is not None:
            self._viewpoint = place._replace(seq=seq)
        return place is not None

    def end(self) -> None:
        """There is nothing more to be told."""
        if not self._cancelled:
            self._ended(self)

    def cancel(self) -> None:
        self._cancelled = True
        if self._task is not None:
            self._task.cancel()
            self._task = None                   # it holds this

    def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.create_task(self.feed.guard(work, {self}))

    async def _reset(self, untold: bool = False) -> None:
        """untold: who has been told nothing yet needs no table in its place."""
        self._read_requests = self.feed.read_requests
        whole = await self.feed.log.current_view()
        await self.outlet.drained()
        if self._cancelled:
            return
        if not await self._may_view(whole.seq):
            return self._ended(self)
        if untold:
            return await self._catch_up(None)
        told = self.feed.encoded_reset(whole)
        self.next, self.head, self._nothing_sent = whole.seq + 1, told.head, False
        self.outlet.send(told)
        await self._catch_up(None)

    async def _catch_up(self, page: EventsAfter | None) -> None:
        """Sends what was missed as fast as the client reads it. With what little is new since, it goes live."""
        last = False
        while not last:
            if page is None:
                self._read_requests = self.feed.read_requests
                page = await self.feed.log.wait_for_events(self.next - 1)
            self.feed.known = max(self.feed.known, page.known)
            if page.head is None or page.head != (self.head or page.head):
                return await self._reset()
            self.head = page.head
            await self._send(page)
            last, page = page.last, None
        if not self._cancelled and not self._checking:
            self._go_live(complete=self._read_requests == self.feed.read_requests)

    def _go_live(self, complete: bool) -> None:
        self.feed.live.add(self)
        if self.feed.presence is not None:
            self.outlet.send(self.feed.presence)
        if not complete or self.next <= self.feed.known:
            self.feed.read_log()
        self.feed.known = max(self.feed.known, self.next - 1)

    async def _send(self, page: EventsAfter) -> None:
        """The page, then what was kept behind it."""
        for piece in pieces(self.feed.encoded(self.next - 1, page)):
            await self.outlet.drained()
            self.send(*piece)
        while not self._cancelled and not self._checking and (told := self.feed.recent.get(self.next)) and self.is_next(told):
            self.send(told)                     # with it the right to look may be in question: then nothing more is taken
