"""A player disconnects and the others finish, under each absence policy.

The table has two people, a bot, and a live clock with 5 minutes and 3 seconds per move.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from random import Random
from typing import NamedTuple

import pytest

from ludarium.clocks.clocks import MOST_LAG, SETTLE
from ludarium.embedded import Services
from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_client.bodies import GameEndedEvent, LiveClock, NewTable, TableView
from tests.clocks.absent import Guest, Leaver, guests, opened, played, told
from tests.support.clock import SteppedClock
from tests.support.entropy import ENTROPY
from tests.support.waiting import eventually

CLOCK = LiveClock(bank=5, increment=3)
KINGDOMS = NewTable(ruleset="game-of-kingdoms", seats=3)
LIFE = ("timed_out", "stood_in", "retired", "returned")
MOVES = 3
"""Questions that are answered before the player disconnects."""


class Timed(NamedTuple):
    """A server whose time moves only when the test steps the clock."""

    clock: SteppedClock
    http: str

    async def pass_time(self, seconds: float) -> None:
        await self.clock.step(timedelta(seconds=seconds))


@pytest.fixture
async def timed(database_url: str, embedded_services: Services, redis_url: str) -> AsyncIterator[Timed]:
    await migrated(database_url)
    clock, config = await SteppedClock.begun(database_url), Config(port=0, ws_port=0, rate_limits=False)
    async with running(config, database_url, redis_url, ENTROPY, clock.server_clock) as address:
        yield Timed(clock, address.http)


class Disconnects(Leaver):
    """A player who disconnects after MOVES moves."""

    def leaves(self, view: TableView, luck: Random) -> bool:
        self.asked[""] += 1
        return self.asked[""] > MOVES


@pytest.mark.parametrize(("remedy", "life"), [
    ("default", ["timed_out", "stood_in"]), ("bot", ["timed_out", "stood_in"]),
    ("forfeit", ["timed_out", "retired", "stood_in"]), ("claim", ["timed_out", "stood_in", "retired", "stood_in"]),
])  # fmt: skip
async def test_one_of_two_clients_and_a_bot_disconnects(timed: Timed, remedy: str, life: list[str]) -> None:
    async with guests([timed.http], [Random(1), Random(2)], Disconnects(0)) as (ada, bea):
        table = await opened([ada, bea], KINGDOMS, remedy, CLOCK)
        async with asyncio.TaskGroup() as group:
            group.create_task(played([ada, bea], table))
            await bea.gone.wait()
            await timed.pass_time(await left(ada, table) + MOST_LAG / 1000)
            await until(ada, table, "timed_out")
            await timed.pass_time(SETTLE / 1000)
        events = await told(ada.client, table, 3)
    assert [tag for event in events if (tag := event.__struct_config__.tag) in LIFE] == life
    assert [event.data.reason for event in events if isinstance(event, GameEndedEvent)] == ["finished"]


async def left(ada: Guest, table: str) -> float:
    """Wait until only the other seat has to act, and return its remaining seconds."""
    async def asked() -> TableView | None:
        view = await ada.client.view(table)
        return view if view.view and [*view.view.asked] == [1] else None

    view = await eventually(asked)
    assert view and view.clocks
    return view.clocks.seats[1].remaining_ms / 1000


async def until(ada: Guest, table: str, tag: str) -> None:
    async def there() -> bool:
        return tag in [event.__struct_config__.tag for event in (await ada.client.events(table, limit=1000)).events]

    await eventually(there)
