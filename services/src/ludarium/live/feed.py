"""One table's events for one audience, sent to all its readers.

Redis may lose, repeat or reorder messages, and the log may lose its newest events and reuse their numbers. So a reader
takes an event only if it follows the very event that it was sent last. Readers that are behind read the log until they
are close to its end, then the pushes remembered in the meantime. From then on the feed reads for all together, until a
read reaches the log's end and no further read was requested since it began. Only the log shows that an event is lost.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Generic, Protocol, TypeVar

import msgspec

from ludarium.live.channel import ChatPush, Push
from ludarium.live.encoded import EncodedEvent, Outlet, encoded_event
from ludarium.live.ports import EventsAfter, ViewChannel, WholeTable, feed_name
from ludarium.live.presence import Present
from ludarium.live.reading import GONE, LogReads, TableLog
from ludarium.platform import metrics
from ludarium.platform.problems import Problem
from ludarium.platform.view_channel import audience_of

log = logging.getLogger(__name__)

MOST_RECENT = 64
"""Events remembered from pushes."""


class Reader(Protocol):
    """A reader of a feed, which has been sent everything before `next`."""

    next: int
    head: str | None
    """Head of the event before `next`; "" before the first, None if unknown."""
    outlet: Outlet
    listener: str | None
    """The player who is sent the table's chat, None for no chat."""

    def is_next(self, told: EncodedEvent) -> bool:
        """Return whether this event follows the one that was sent last."""

    def send(self, *news: EncodedEvent) -> None:
        """Send the next events."""

    def restart(self) -> None:
        """Start again from the table's current view."""

    def end(self) -> None:
        """End, since the log has lost the whole table."""


ReaderT = TypeVar("ReaderT", bound=Reader)


class Feed(Generic[ReaderT]):
    def __init__(self, table: str, look: ViewChannel, reads: LogReads) -> None:
        self.table, self.channel, audience = table, look, audience_of(look)
        self.name = feed_name(table, audience)
        self.read_requests = 0
        """How often a read of the log was requested."""
        self.known = -1
        """The highest event number that the log is known to have."""
        self.members: set[ReaderT] = set()
        self.live: set[ReaderT] = set()
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

    async def guard(self, read: Callable[[], Awaitable[None]], readers: set[ReaderT]) -> None:
        """Read for readers, and disconnect them if that fails."""
        try:
            await read()
        except Exception as error:
            if isinstance(error, Problem) and error.kind.status == GONE:
                return self._end_all(readers)
            log.exception("the log of %s cannot be followed", self.name)
            for reader in readers:
                reader.outlet.fail()

    def _end_all(self, readers: set[ReaderT]) -> None:
        """End all subscriptions: the log has lost the whole table."""
        for reader in [*readers]:
            reader.end()

    @property
    def _repairing(self) -> bool:
        return self._repair is not None and not self._repair.done()

    def _is_delivered(self, seq: int, prev: str) -> bool:
        """Return whether all readers are done with the event.

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
        readers: Iterable[ReaderT] = [*self.live] if some_may_go else self.live
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
