"""Measure the CPU and the event-loop stops of presence at ten thousand tables."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from time import thread_time

from benchmarks.rows import Row
from ludarium.live.encoded import EncodedEvent
from ludarium.live.hub import Hub
from ludarium.live.ports import NOTHING_KNOWN, SPECTATOR, Viewpoint
from ludarium.live.presence import REFRESH, Presence
from ludarium.live.subscription import Subscription
from ludarium.platform.background import background
from ludarium.platform.entropy import SystemEntropy
from tests.live.house import House

TABLES = 10_000
SETTLED = 5.0
"""Seconds until presence at all tables is confirmed for the first time."""
LOOK = 0.002
"""Seconds between two readings of the clock."""
STOP = 25
"""Milliseconds that the event loop may stop. Twice as long is allowed when all tables are followed at once."""
MOST = 1000
"""The most milliseconds of CPU."""


class Silent:
    """A subscriber's outlet that accepts and ignores everything."""

    def send(self, *news: EncodedEvent) -> None:
        """Ignore the events."""

    async def drained(self) -> None:
        """Return at once, because there is always room."""

    def fail(self) -> None:
        raise AssertionError("the log cannot be followed")


async def rows(redis_url: str) -> AsyncIterator[Row]:
    async with House(redis_url, redis_url) as house, Presence(redis_url) as presence:
        async with Hub(redis_url, house, SystemEntropy()) as hub:
            _, _, without = await followed(hub)
        async with Hub(redis_url, house, SystemEntropy(), presence) as hub:
            first, stop, cpu = await followed(hub)
    for name, value, most in ("followed tables", stop, STOP), ("tables that are followed at once", first, 2 * STOP):
        yield Row(
            name=f"live: longest stop of the loop, {TABLES:,} {name}", value=round(value, 1), unit="ms",
            goal=f"<= {most} ms", holds=value <= most,
        )  # fmt: skip
    own = (cpu - without) * 1e3
    yield Row(
        name=f"live: CPU of presence in {REFRESH:.0f} s, {TABLES:,} followed tables", value=round(own), unit="ms",
        beside=f"the hub without it: {without * 1e3:.0f} ms", ratio=own / without / 1e3, goal=f"<= {MOST} ms",
        holds=own <= MOST,
    )  # fmt: skip


async def followed(hub: Hub) -> tuple[float, float, float]:
    """Return the longest stop at first and in one full cycle, and the cycle's CPU."""
    for nth in range(TABLES):
        hub.follow(f"presence-{nth}", Viewpoint(SPECTATOR, -1), Silent(), NOTHING_KNOWN, stays)
    first, _ = await watched(SETTLED)
    return first, *await watched(REFRESH)


def stays(_: Subscription) -> None:
    raise AssertionError("a spectator lost a seat")


async def watched(seconds: float) -> tuple[float, float]:
    """Return the longest stop of the loop in milliseconds, and all CPU seconds."""
    stops: list[float] = []
    start = thread_time()
    async with background(look(stops)):
        await asyncio.sleep(seconds)
    return max(stops) * 1e3, thread_time() - start


async def look(stops: list[float]) -> None:
    before = thread_time()
    while True:
        await asyncio.sleep(LOOK)
        stops.append(thread_time() - before)
        before += stops[-1]
