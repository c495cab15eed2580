"""Two clients and a bot at a table by link, clock 5+3: one disconnects, the others finish; by each of the four policies."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random

import pytest

from ludarium_client.bodies import GameEndedEvent, LiveClock, NewTable, TableView
from services.clocks.clocks import MOST_LAG, SETTLE
from services.clocks.house import House
from services.config import Config
from services.embedded import Services
from services.migrations import migrated
from services.server import running
from tests.clocks.absent import Guest, Leaver, guests, opened, played, told
from tests.clocks.simulated import set_clock
from tests.support.entropy import ENTROPY

CLOCK = LiveClock(bank=5, increment=3)
KINGDOMS = NewTable(ruleset="game-of-kingdoms", seats=3)
LIFE = ("timed_out", "stood_in", "retired", "returned")
MOVES = 3
"""Questions that are answered before somebody disconnects."""


class Wall:
    """A server whose time stands still unless it is moved on."""

    def __init__(self, database_url: str) -> None:
        self.database_url, self.seconds, self.http = database_url, 0.0, ""

    async def pass_time(self, seconds: float) -> None:
        await set_clock(self.database_url, None, self.seconds + seconds)
        self.seconds += seconds


@pytest.fixture
async def wall(database_url: str, embedded_services: Services, redis_url: str) -> AsyncIterator[Wall]:
    wall, config = Wall(database_url), Config(port=0, ws_port=0, rate_limits=False)
    await migrated(database_url)
    await set_clock(database_url, None, 0)
    async with running(config, database_url, redis_url, ENTROPY, lambda store: House(store, lambda: wall.seconds)) as address:
        wall.http = address.http
        yield wall


class Disconnects(Leaver):
    """After some moves."""

    def leaves(self, view: TableView, luck: Random) -> bool:
        self.asked[""] += 1
        return self.asked[""] > MOVES


@pytest.mark.parametrize(("remedy", "life"), [
    ("default", ["timed_out", "stood_in"]), ("bot", ["timed_out", "stood_in"]),
    ("forfeit", ["timed_out", "retired", "stood_in"]), ("claim", ["timed_out", "stood_in", "retired", "stood_in"]),
])  # fmt: skip
async def test_one_of_two_clients_and_a_bot_disconnects(wall: Wall, remedy: str, life: list[str]) -> None:
    async with guests([wall.http], [Random(1), Random(2)], Disconnects(0)) as (ada, bea):
        table = await opened([ada, bea], KINGDOMS, remedy, CLOCK)
        async with asyncio.TaskGroup() as group:
            group.create_task(played([ada, bea], table))
            await bea.gone.wait()
            await wall.pass_time(await left(ada, table) + MOST_LAG / 1000)
            await until(ada, table, "timed_out")
            await wall.pass_time(SETTLE / 1000)
        events = await told(ada.client, table, 3)
    assert [tag for event in events if (tag := event.__struct_config__.tag) in LIFE] == life
    assert [event.data.reason for event in events if isinstance(event, GameEndedEvent)] == ["finished"]


async def left(ada: Guest, table: str) -> float:
    """Seconds that the other one has, when nobody is asked but them."""
    while True:
        view = await ada.client.view(table)
        assert view.view and view.clocks
        if [*view.view.asked] == [1]:
            return view.clocks.seats[1].remaining_ms / 1000
        await asyncio.sleep(0.02)


async def until(ada: Guest, table: str, tag: str) -> None:
    while tag not in [event.__struct_config__.tag for event in (await ada.client.events(table, limit=1000)).events]:
        await asyncio.sleep(0.02)
