"""One table's events for one audience, and each reader's position in them.

Redis may lose, repeat or reorder messages, and the log may lose its newest events and reuse their numbers. So a reader
takes an event only if it follows the very event that it was sent last. Readers that are behind read the log until they
are close to its end, then the pushes remembered in the meantime. From then on the feed reads for all together, until a
read reaches the log's end and no further read was requested since it began. Only the log shows that an event is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial

import msgspec

from ludarium.live.channel import ChatPush, Push
from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event, pieces
from ludarium.live.ports import EventRef, EventsAfter, LastKnown, ViewChannel, Viewpoint, WholeTable, feed_name
from ludarium.live.presence import Present
from ludarium.live.reading import GONE, LogReads, TableLog
from ludarium.platform import metrics
from ludarium.platform.metering import metered_call
from ludarium.platform.problems import Problem
from ludarium.platform.view_channel import audience_of

log = logging.getLogger(__name__)

MOST_RECENT = 64
"""Events remembered from pushes."""


class Feed:
    def __init__(self, table: str, look: ViewChannel, reads: LogReads) -> None:
        self.table, self.channel, audience = table, look, audience_of(look)
        self.name = feed_name(table, audience)
        self.read_requests = 0
        """How often a read of the log was requested."""
        self.known = -1
        """The highest event number that the log is known to have."""
        self.members: set[Subscription] = set()
        self.live: set[Subscription] = set()
        """The members that have read the log to its end."""
        self.recent: dict[int, EncodedEvent] = {}
        """Pushed events by number, remembered while a member is behind."""
        self.presence: EncodedEvent | None = None
        """The last presence message."""
        self.log = TableLog(table, audience, reads)
        self._opening = b'{"sub":' + msgspec.json.encode(self.name) + b","
        self._repair: asyncio.Task[None] | None = None

    def deliver(self, push: Push) -> bool:
        """Handle an event or a hint, from a commit or from Redis.

        Returns whether live readers may have got it.
        """
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
        """Send presence to live readers if it has changed.

        It has no number and is not in the log.
        """
        event = b'{"type":"presence","data":%b}' % msgspec.json.encode(present)
        if self.presence is not None and self.presence.event == event:
            return
        self.presence = encoded_event(self._opening, None, event, b"presence")
        for reader in self.live:
            reader.outlet.send(self.presence)

    def send_chat(self, said: ChatPush) -> None:
        """Send a chat message to the readers it is for.

        It has no number and is not in the log.
        """
        told = encoded_event(self._opening, None, said.event, b"chat")
        for reader in self.live:
            if said.is_for(reader.listener):
                reader.outlet.send(told)

    def send_rematch(self) -> None:
        """Announce the rematch, without naming it: who may see it depends on the viewer.

        It has no number and is not in the log.
        """
        told = encoded_event(self._opening, None, b'{"type":"rematch"}', b"rematch")
        for reader in self.live:
            reader.outlet.send(told)

    def log_reached(self, seq: int) -> None:
        """Read the log if it has reached `seq` and no push has."""
        if self.known < seq:
            self.known = seq
            self.read_log()

    @property
    def lacks_events(self) -> bool:
        """Whether a live reader lacks known events while the log is not being read.

        This is mostly true for a delayed audience.
        """
        return not self._repairing and any(reader.next <= self.known for reader in self.live)

    @property
    def settled(self) -> bool:
        """Whether all members are live and the log is not being read for them."""
        return len(self.live) == len(self.members) and not self._repairing

    def read_log(self) -> None:
        """Read the log for the live members, since pushes may be missing."""
        self.read_requests += 1
        if self.live and not self._repairing:
            self._repair = asyncio.create_task(self.guard(self._catch_up, self.live))

    def forget_pushes(self, known: int = -1) -> None:
        """Forget what is known from pushes alone: the log may have lost events.

        Args:
            known: the number of the table's newest event, -1 if it is unknown.
        """
        self.known = known
        self.recent.clear()
        self.read_requests += 1
        if self.lacks_events:
            self.read_log()

    def close(self) -> None:
        if self._repair is not None:
            self._repair.cancel()
            self._repair = None                 # the task refers to the feed

    def encoded(self, after: int, page: EventsAfter) -> Iterator[EncodedEvent]:
        """Encode a page's events, with the same bytes for all members.

        `sub` is the feed's own name.
        """
        prev = page.head or ""
        for seq, event in enumerate(page.events, after + 1):
            told = encoded_event(self._opening, seq, event, prev=prev)
            yield told
            prev = told.head

    def encoded_reset(self, whole: WholeTable) -> EncodedEvent:
        return encoded_event(self._opening, whole.seq, whole.reset, b"reset")

    async def guard(self, read: Callable[[], Awaitable[None]], readers: set["Subscription"]) -> None:
        """Read for readers, and disconnect them if that fails."""
        try:
            await read()
        except Exception as error:
            if isinstance(error, Problem) and error.kind.status == GONE:
                return self._end_all(readers)
            log.exception("the log of %s cannot be followed", self.name)
            for reader in readers:
                reader.outlet.fail()

    def _end_all(self, readers: set["Subscription"]) -> None:
        """End all subscriptions: the log has lost the whole table."""
        for reader in [*readers]:
            reader.end()

    @property
    def _repairing(self) -> bool:
        return self._repair is not None and not self._repair.done()

    def _is_delivered(self, seq: int, prev: str) -> bool:
        """Whether no reader waits for the event any more.

        All live members have it, and others will find it in the log or among `recent`.
        """
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
        """Send the event to the members that it is next for.

        Returns False if some lack earlier events.
        """
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
        """Restart members whose last event differs from the one in the log."""
        for reader in [reader for reader in self.live if reader.next == seq + 1 and reader.head != head]:
            self.live.discard(reader)
            reader.restart()


class Subscription:
    """A reader's position in a feed: everything before `next` has been sent."""

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
        self, feed: Feed, place: Viewpoint, outlet: Outlet, known: LastKnown,
        ended: Callable[["Subscription"], None], listener: str | None = None,
    ) -> None:  # fmt: skip
        """Create a subscription, to be started by `start`.

        Args:
            known: what the client has. If the log has another event there, the whole table is sent.
            ended: called when the seat that gives the right to watch is given up. Nothing is sent after it.
            listener: the player who is sent the table's chat, None for no chat.
        """
        self.feed, self.outlet, self.next = feed, outlet, known.seq + 1
        self.listener = listener
        self._viewpoint, self._ended, self._cancelled, self._checking = place, ended, False, False
        self.head = known.head if known.seq >= 0 else ""
        """Head of the event before `next`; "" before the first, None if unknown."""
        self._nothing_sent = True
        self._read_requests = feed.read_requests
        self._task: asyncio.Task[None] | None = None

    @property
    def by_invitation(self) -> bool:
        """Whether the right to watch comes from an invitation alone.

        An invitation can be withdrawn without an event.
        """
        return self._viewpoint.guest

    @property
    def sent(self) -> EventRef | None:
        """The event that was sent last, None if there is none."""
        return EventRef(self.next - 1, self.head) if self.head and not self._nothing_sent else None

    @property
    def decided_at(self) -> EventRef | None:
        """The table's newest event when the right to watch was decided."""
        return self._viewpoint.row

    @property
    def seat(self) -> int | None:
        """The reader's own seat, if it is the one that is watched from."""
        return self._viewpoint.by if self._viewpoint.by == self._viewpoint.audience else None

    async def first_page(self) -> EventsAfter:
        """Return a page to give to `start`. Raises Problem."""
        return await self.feed.log.events_after(self.next - 1)

    def is_next(self, told: EncodedEvent) -> bool:
        return told.seq == self.next and told.prev == self.head

    def start(self, page: EventsAfter | None = None) -> None:
        """Start reading.

        The CPU time until the reader is live is charged to the current request.

        Args:
            page: from `first_page`; None reads it now.
        """
        self._task = asyncio.create_task(metered_call(self.feed.guard, partial(self._catch_up, page), {self}))

    def restart(self) -> None:
        """Start again from the table's current view.

        A reader that was sent nothing yet begins at the event that it requested.
        """
        if self._task is not None and not self._cancelled:
            self._task.cancel()
            self._checking = False
            self._run(partial(self._reset, self._nothing_sent))

    def send(self, *news: EncodedEvent) -> None:
        """Send the next events.

        Only the last of them may be one that can end the right to watch.
        """
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
        """Pause until the table confirms the right to watch."""
        if self._interrupt():
            self._checking = True
            self._run(self._recheck)

    def read_again(self) -> None:
        """Read the log from here; if it has another event here, or none, a reset is sent."""
        if self._interrupt():
            self._run(partial(self._catch_up, None))

    def _interrupt(self) -> bool:
        """Stop what is being sent.

        Returns False before the start, after the end and during a re-check.
        """
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
        """Look up the current right to watch, and note that it holds up to `seq`."""
        place = await self.feed.log.viewpoint(self._viewpoint.player)
        if place is not None:
            self._viewpoint = place._replace(seq=seq)
        return place is not None

    def end(self) -> None:
        """End the subscription."""
        if not self._cancelled:
            self._ended(self)

    def cancel(self) -> None:
        self._cancelled = True
        if self._task is not None:
            self._task.cancel()
            self._task = None                   # the task refers to the subscription

    def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        self._task = asyncio.create_task(self.feed.guard(work, {self}))

    async def _reset(self, untold: bool = False) -> None:
        """Send the table's current view.

        Args:
            untold: nothing was sent yet, so events are sent instead.
        """
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
        """Send missed events as fast as the client reads, then go live."""
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
        """Send the page, then the remembered pushes after it."""
        for piece in pieces(self.feed.encoded(self.next - 1, page)):
            await self.outlet.drained()
            self.send(*piece)
        while not self._cancelled and not self._checking and (told := self.feed.recent.get(self.next)) and self.is_next(told):
            self.send(told)                     # may pause the reader, which ends the loop
