"""A reader of a feed: sent missed events from the log, then new ones.

A subscription ends when its viewer loses the right to watch.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from ludarium.live.encoded import EncodedEvent, Outlet, pieces
from ludarium.live.feed import Feed
from ludarium.live.ports import EventRef, EventsAfter, LastKnown, Viewpoint
from ludarium.platform.metering import metered_call


class Subscription:
    """A reader of a feed, and its position: everything before `next` has been sent."""

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
        self, feed: "Feed[Subscription]", place: Viewpoint, outlet: Outlet, known: LastKnown,
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
