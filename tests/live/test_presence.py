"""Who is here: told once a second at most, over all processes, and without a number."""

import asyncio
import time
from collections.abc import AsyncIterator

import msgspec
import pytest
import redis.asyncio

from services.background import background
from services.live import channel
from services.live.gateway import Gateway
from services.live.hub import Hub
from services.live.limits import LiveLimits
from services.live.presence import PREFIX, REFRESH, Presence, Present
from services.live.redis_connection import connect
from tests.live.client import Client, client
from tests.live.house import House
from tests.support.entropy import ENTROPY
from tests.support.valkey import Valkey


@pytest.fixture
async def gateways(
    redis_url: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Gateway, Gateway, Presence]]:
    """Two processes' worth, and what one of them knows."""
    monkeypatch.setattr("services.live.presence.CALM", 0.1)
    async with (
        Presence(redis_url) as here,
        Presence(redis_url) as there,
        Hub(redis_url, house, ENTROPY, here) as hub,
        Hub(redis_url, house, ENTROPY, there) as other,
        Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.5)) as one,
        Gateway("127.0.0.1", 0, other, house.ports, LiveLimits(closing=0.5)) as two,
    ):
        yield one, two, here


async def told(viewer: Client, sub: str, seats: list[int], spectators: int) -> None:
    """Waits until that is the latest news."""
    wanted = {"type": "presence", "sub": sub, "data": {"seats": seats, "spectators": spectators}}
    async with asyncio.timeout(10):
        while viewer.notices[-1:] != [wanted]:
            await asyncio.sleep(0.02)


async def test_everybody_is_told_who_comes_and_goes_at_any_process(
    house: House, gateways: tuple[Gateway, Gateway, Presence]
) -> None:
    here, there, presence = gateways
    await house.open("t", {"ann": 0, "bob": 1})
    async with client(here.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await told(ann, sub, [0], 0)
        async with client(there.port, "bob-token") as bob, client(there.port) as eve:
            bobs, eves = await bob.subscribe("t"), await eve.subscribe("t")
            for viewer, name in ((ann, sub), (bob, bobs), (eve, eves)):
                await told(viewer, name, [0, 1], 1)
            assert await presence.of("t") == Present([0, 1], 1)
            async with client(here.port) as late:
                await told(late, await late.subscribe("t"), [0, 1], 2)
        await told(ann, sub, [0], 0)
    async with asyncio.timeout(10):
        while await presence.of("t") != Present([], 0):
            await asyncio.sleep(0.02)


async def test_a_seat_that_watches_as_a_spectator_is_one(
    house: House, gateways: tuple[Gateway, Gateway, Presence]
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateways[0].port, "ann-token") as ann:
        sub = await ann.subscribe("t", viewer="spectator")
        await told(ann, sub, [], 1)


async def test_who_comes_back_at_once_was_never_away(
    house: House, gateways: tuple[Gateway, Gateway, Presence], monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.open("t", {"ann": 0, "bob": 1})
    async with client(gateways[0].port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        async with client(gateways[0].port, "bob-token") as bob:
            await bob.subscribe("t")
            await told(ann, sub, [0, 1], 0)
            news = len(ann.notices)
            monkeypatch.setattr("services.live.presence.CALM", 1.0)
            await asyncio.sleep(0.2)  # the pause of before is over
            await bob.request("unsubscribe", sub="t:1")
            await bob.subscribe("t")
            await asyncio.sleep(2)
            assert len(ann.notices) == news


async def test_a_process_that_died_is_not_believed_for_long(
    house: House, gateways: tuple[Gateway, Gateway, Presence], redis_url: str
) -> None:
    *_, presence = gateways
    async with redis.asyncio.from_url(redis_url) as dead:
        for name, at, seats in (("old", 1, [1]), ("new", 2**40, [3])):
            await dead.hset(PREFIX + "t", name, msgspec.msgpack.encode((at, seats, 2)))
    assert await presence.of("t") == Present([3], 2)


class Changing:
    """A process whose tables all have somebody at them, or nobody, and that tells when it is asked who."""

    def __init__(self, tables: int = 1) -> None:
        self.tables = [f"t{nth}" for nth in range(tables)]
        self.present, self.asked = Present([0], 0), asyncio.Event()

    def followed(self) -> list[str]:
        return self.tables

    def here(self, table: str) -> Present:
        self.asked.set()
        return self.present

    def announce(self, table: str, present: Present) -> None:
        """Nobody is there to be told."""


async def test_who_leaves_while_redis_is_told_who_came_is_gone(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.live.presence.CALM", 0.01)
    floor = Changing()
    async with Presence(valkey.url) as presence, background(presence.keep(floor)):
        presence.changed("t0")
        await until_known(presence, Present([0], 0))
        await valkey.freeze()
        floor.asked.clear()
        floor.present = Present([0], 1)
        presence.changed("t0")
        async with asyncio.timeout(5):
            await floor.asked.wait()
        floor.present = Present([], 0)
        presence.changed("t0")
        await valkey.thaw()
        await until_known(presence, Present([], 0))


async def until_known(presence: Presence, present: Present) -> None:
    """In less time than passes until everything is told again."""
    async with asyncio.timeout(REFRESH / 2):
        while await presence.of("t0") != present:
            await asyncio.sleep(0.02)


MANY = 200
"""Tables: several slices."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table has its turn five times a second."""
    for name, seconds in {"CALM": 0.02, "REFRESH": 0.2, "STALE": 2}.items():
        monkeypatch.setattr(f"services.live.presence.{name}", seconds)


async def test_what_has_not_changed_is_confirmed_without_a_word_to_others(quick: None, redis_url: str) -> None:
    floor, heard = Changing(MANY), list[bytes]()
    wire = await connect(redis_url, heard=lambda name, _: heard.append(name))
    wire.subscribe(*map(channel.of_table, floor.tables))
    async with Presence(redis_url) as presence, background(presence.keep(floor)):
        await told_of(presence, floor)
        await asyncio.sleep(3)  # longer than a word counts that is not confirmed
        assert [await presence.of(table) for table in floor.tables] == MANY * [floor.present]
        for table in floor.tables:
            presence.changed(table)  # who came is gone again, or the other way round
        await asyncio.sleep(0.2)
        assert sorted(heard) == sorted(map(channel.of_table, floor.tables))
    wire.abort("heard enough")


async def told_of(presence: Presence, floor: Changing) -> None:
    for table in floor.tables:
        presence.changed(table)
    async with asyncio.timeout(10):
        for table in floor.tables:
            while await presence.of(table) != floor.present:
                await asyncio.sleep(0.02)


async def test_what_redis_has_lost_is_said_again_and_told(quick: None, redis_url: str) -> None:
    floor, heard = Changing(MANY), asyncio.Event()
    wire = await connect(redis_url, heard=lambda *_: heard.set())
    wire.subscribe(channel.of_table("t7"))
    async with Presence(redis_url) as presence, background(presence.keep(floor)):
        await told_of(presence, floor)
        heard.clear()
        async with redis.asyncio.from_url(redis_url) as thief:
            await thief.delete(*[PREFIX + table for table in floor.tables])
        async with asyncio.timeout(10):
            await heard.wait()
            for table in floor.tables:
                while await presence.of(table) != floor.present:
                    await asyncio.sleep(0.02)
    wire.abort("heard enough")


async def test_who_watches_a_table_misses_a_process_that_has_died(
    quick: None, house: House, redis_url: str
) -> None:
    await house.open("t", {"ann": 0})
    async with (
        Presence(redis_url) as presence,
        Hub(redis_url, house, ENTROPY, presence) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.5)) as gateway,
        client(gateway.port, "ann-token") as ann,
        redis.asyncio.from_url(redis_url) as dying,
    ):
        sub = await ann.subscribe("t")
        await dying.hset(PREFIX + "t", "dying", msgspec.msgpack.encode((int(time.time()), [1], 0)))
        await told(ann, sub, [0, 1], 0)
        await told(ann, sub, [0], 0)
