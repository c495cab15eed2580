"""An event that waits for a lagging client may end its right to see the table.

Reads of the log may be slow at the same time.
"""
from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from ludarium.live.encoded import EncodedEvent
from ludarium.live.feed import Feed
from ludarium.live.ports import NOTHING_KNOWN, SPECTATOR, EventsAfter, Viewpoint, WholeTable
from ludarium.live.reading import LogReads, Page, TableAudience, ViewerOfTable
from ludarium.live.subscription import Subscription
from ludarium.platform.single_flight import SingleFlight
from ludarium.platform.view_channel import look
from tests.support.waiting import LIMIT, eventually, in_time


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """Interrupt an endless loop, since nothing else in the process would run any more."""

    def rings(*_: object) -> None:
        raise TimeoutError("went round for ever")

    before = signal.signal(signal.SIGALRM, rings)
    signal.alarm(int(LIMIT))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def row(seq: int, type: str) -> bytes:
    return b'{"type":"%b","seq":%d,"head":"%016x","data":{}}' % (type.encode(), seq, seq)


class Kept:
    """A recipient that records the messages for one subscription."""

    def __init__(self) -> None:
        self.told: list[int | None] = []

    def send(self, *news: EncodedEvent) -> None:
        self.told += [each.seq for each in news]

    async def drained(self) -> None: ...

    def fail(self) -> None:
        raise AssertionError("sent away")


@pytest.mark.parametrize(("type", "guest", "first"), [("policies", False, [0, 1]), ("game_started", True, [0])])
async def test_nothing_more_is_taken_until_the_right_to_look_is_known(type: str, guest: bool, first: list[int]) -> None:
    """The log is read after the first event, while the second and third arrive."""
    asked, known = asyncio.Event(), asyncio.Event()
    rows = [row(0, "ready"), row(1, type), row(2, "ready")]

    async def page(wanted: Page) -> EventsAfter:
        after = wanted[2]
        return EventsAfter("" if after < 0 else f"{after:016x}", rows[after + 1 :] if known.is_set() else rows[:1])

    async def whole(_: TableAudience) -> WholeTable:
        raise AssertionError("nobody begins anew")

    async def place(seeker: ViewerOfTable) -> Viewpoint:
        asked.set()
        await known.wait()
        return Viewpoint(SPECTATOR, 2, player=seeker[0])

    reads = LogReads(SingleFlight(page, 1), SingleFlight(whole, 1), SingleFlight(place, 1))
    feed = Feed[Subscription]("t", look(SPECTATOR, changes=False), reads)
    outlet = Kept()
    reader = Subscription(feed, Viewpoint(SPECTATOR, -1, player="p", guest=guest), outlet, NOTHING_KNOWN, lambda _: None)
    feed.members.add(reader)
    feed.recent = {seq: told for seq, told in enumerate(feed.encoded(-1, EventsAfter("", rows))) if seq}
    reader.start()
    await in_time(asked.wait())
    assert outlet.told == first
    known.set()
    await eventually(lambda: reader.next >= 3)
    assert outlet.told == [0, 1, 2]
    reader.cancel()
