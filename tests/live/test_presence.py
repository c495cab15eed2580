"""Presence of all processes is sent at most once a second, without a number."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import cast

import msgspec
import pytest
import redis.asyncio

from ludarium.live import channel
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.live.presence import PREFIX, Presence, Present
from ludarium.live.redis_connection import connect
from ludarium.platform.background import background
from tests.live.house import House
from tests.support.entropy import ENTROPY
from tests.support.live_client import Client, client
from tests.support.pushes import settled
from tests.support.valkey import Valkey
from tests.support.waiting import NEVER, eventually, in_time


@pytest.fixture
async def gateways(
    redis_url: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Gateway, Gateway, Presence]]:
    """Yield the gateways of two processes, and the presence of one of them."""
    monkeypatch.setattr("ludarium.live.presence.CALM", 0.1)
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
    """Wait until the viewer's latest notice has this presence."""
    wanted = {"type": "presence", "sub": sub, "data": {"seats": seats, "spectators": spectators}}
    await eventually(lambda: viewer.notices[-1:] == [wanted])


async def known(presence: Presence, table: str, present: Present) -> None:
    """Wait until Redis has this presence for the table."""

    async def told() -> bool:
        return await presence.of(table) == present

    await eventually(told)


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
    await known(presence, "t", Present([], 0))


async def test_a_seat_that_watches_as_a_spectator_is_one(
    house: House, gateways: tuple[Gateway, Gateway, Presence]
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateways[0].port, "ann-token") as ann:
        sub = await ann.subscribe("t", viewer="spectator")
        await told(ann, sub, [], 1)


async def test_who_comes_back_at_once_was_never_away(
    house: House, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob leaves and returns between two checks of presence."""
    monkeypatch.setattr("ludarium.live.presence.CALM", NEVER)   # the hub never checks; this test does
    await house.open("t", {"ann": 0, "bob": 1})
    await house.open("other")
    async with (
        Presence(redis_url) as presence,
        Hub(redis_url, house, ENTROPY, presence) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.5)) as gateway,
        client(gateway.port, "ann-token") as ann,
        client(gateway.port, "bob-token") as bob,
        client(gateway.port) as eve,
    ):
        sub, bobs = await ann.subscribe("t"), await bob.subscribe("t")
        await settled(hub)
        monkeypatch.setattr("ludarium.live.presence.CALM", 0.01)
        async with background(presence.keep(hub)):
            await told(ann, sub, [0, 1], 0)
        news = len(ann.notices)
        await bob.request("unsubscribe", sub=bobs)
        await bob.subscribe("t")
        async with background(presence.keep(hub)):
            await told(eve, await eve.subscribe("other"), [], 1)    # after a check of all changes
            assert len(ann.notices) == news
            await eve.subscribe("t")
            await told(ann, sub, [0, 1], 1)
        assert len(ann.notices) == news + 1


async def test_a_process_that_died_is_not_believed_for_long(
    house: House, gateways: tuple[Gateway, Gateway, Presence], redis_url: str
) -> None:
    *_, presence = gateways
    async with redis.asyncio.from_url(redis_url) as dead:
        for name, at, seats in (("old", 1, [1]), ("new", 2**40, [3])):
            await dead.hset(PREFIX + "t", name, msgspec.msgpack.encode((at, seats, 2)))
    assert await presence.of("t") == Present([3], 2)


class Changing:
    """A process with the same presence at all of its tables.

    `asked` is set when the presence is queried.
    """

    def __init__(self, tables: int = 1) -> None:
        self.tables = [f"t{nth}" for nth in range(tables)]
        self.current, self.asked = Present([0], 0), asyncio.Event()

    def followed(self) -> list[str]:
        return self.tables

    def present(self, table: str) -> Present:
        self.asked.set()
        return self.current

    def send_presence(self, table: str, present: Present) -> None:
        """Send nothing."""


async def test_who_leaves_while_redis_is_told_who_came_is_gone(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"CALM": 0.01, "REFRESH": NEVER, "STALE": NEVER}.items():  # nothing is refreshed by time
        monkeypatch.setattr(f"ludarium.live.presence.{name}", seconds)
    floor = Changing()
    async with Presence(valkey.url) as presence, background(presence.keep(floor)):
        presence.changed("t0")
        await known(presence, "t0", Present([0], 0))
        await valkey.freeze()
        floor.asked.clear()
        floor.current = Present([0], 1)
        presence.changed("t0")
        await in_time(floor.asked.wait())
        floor.current = Present([], 0)
        presence.changed("t0")
        await valkey.thaw()
        await known(presence, "t0", Present([], 0))


MANY = 200
"""Number of tables, enough for several slices."""


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refresh every table five times a second, and let nothing expire during a test."""
    for name, seconds in {"CALM": 0.02, "REFRESH": 0.2, "STALE": NEVER}.items():
        monkeypatch.setattr(f"ludarium.live.presence.{name}", seconds)


async def test_what_has_not_changed_is_confirmed_without_a_word_to_others(quick: None, redis_url: str) -> None:
    floor, heard = Changing(MANY), list[bytes]()
    wire = await connect(redis_url, heard=lambda name, _: heard.append(name))
    wire.subscribe(*map(channel.of_table, floor.tables))
    async with Presence(redis_url) as presence, background(presence.keep(floor)):
        await told_of(presence, floor)
        await confirmed(redis_url, floor.tables)
        assert [await presence.of(table) for table in floor.tables] == MANY * [floor.current]
        floor.asked.clear()
        for table in floor.tables:
            presence.changed(table)  # a client came and left, or the reverse
        await in_time(floor.asked.wait())
        floor.current = Present([0], 1)         # only this is sent
        await told_of(presence, floor)
        await eventually(lambda: len(heard) >= 2 * MANY)
        assert sorted(heard) == sorted(2 * [*map(channel.of_table, floor.tables)])
    wire.abort("heard enough")


async def confirmed(redis_url: str, tables: list[str]) -> None:
    """Wait until Redis has refreshed the presence and the expiry of each table."""
    async with redis.asyncio.from_url(redis_url) as store:
        first = [await said(store, table) for table in tables]
        for table in tables:
            await store.persist(PREFIX + table)

        async def again() -> bool:
            now = [await said(store, table) for table in tables]
            kept = [await store.ttl(PREFIX + table) for table in tables]
            return all(at > before for at, before in zip(now, first, strict=True)) and min(kept) > 0

        await eventually(again)


async def said(store: redis.asyncio.Redis, table: str) -> int:
    """Return when the table's only process last confirmed its presence.

    The time is in seconds since 1970.
    """
    (word,) = await store.hvals(PREFIX + table)
    at: int = msgspec.msgpack.decode(cast(bytes, word))[0]
    return at


async def told_of(presence: Presence, floor: Changing) -> None:
    for table in floor.tables:
        presence.changed(table)
    for table in floor.tables:
        await known(presence, table, floor.current)


async def test_what_redis_has_lost_is_said_again_and_told(quick: None, redis_url: str) -> None:
    floor, heard = Changing(MANY), asyncio.Event()
    wire = await connect(redis_url, heard=lambda *_: heard.set())
    wire.subscribe(channel.of_table("t7"))
    async with Presence(redis_url) as presence, background(presence.keep(floor)):
        await told_of(presence, floor)
        heard.clear()
        async with redis.asyncio.from_url(redis_url) as thief:
            await thief.delete(*[PREFIX + table for table in floor.tables])
        await in_time(heard.wait())
        for table in floor.tables:
            await known(presence, table, floor.current)
    wire.abort("heard enough")


async def test_who_watches_a_table_misses_a_process_that_has_died(
    quick: None, house: House, redis_url: str, monkeypatch: pytest.MonkeyPatch
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
        await dying.hset(PREFIX + "t", "dying", msgspec.msgpack.encode((int(time.time()) - 100, [1], 0)))
        await told(ann, sub, [0, 1], 0)
        monkeypatch.setattr("ludarium.live.presence.STALE", 50)
        await told(ann, sub, [0], 0)
