"""Messages are made for those who watch, and for nobody else; whoever the guess leaves out reads the log."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from services.live import channel
from services.live.gateway import Gateway
from services.live.hub import Hub
from services.live.publisher import Publisher
from services.live.wire import Wire, connect
from tests.live.client import client
from tests.live.house import House
from tests.live.test_following import words
from tests.live.test_redis import until

ALL = range(-1, 2)


@pytest.fixture
async def publisher(redis_url: str) -> AsyncIterator[Publisher]:
    async with Publisher(redis_url) as publisher:
        yield publisher


async def ear(redis_url: str, table: str) -> Wire:
    """Another process that follows the table."""
    joined: list[bytes] = []
    wire = await connect(redis_url, joined=joined.append)
    wire.subscribe(channel.of_table(table))
    await until(lambda: bool(joined))
    return wire


async def settled(publisher: Publisher, expected: object) -> None:
    """Publishes rows until the next one is wanted for the expected audiences."""
    async with asyncio.timeout(10):
        while publisher.watched("t", ALL) != expected:
            await publisher.publish("t", 0, {})
            await asyncio.sleep(0.02)


async def test_a_table_that_nobody_follows_is_only_hinted_at(publisher: Publisher) -> None:
    await publisher.publish("t", 0, {})
    assert publisher.watched("t", ALL) == ()


async def test_what_another_process_follows_is_made_for_everybody(publisher: Publisher, redis_url: str) -> None:
    wire = await ear(redis_url, "t")
    await settled(publisher, ALL)
    wire.abort("gone")
    await settled(publisher, ())


async def test_what_is_followed_here_alone_is_made_for_those_who_do(publisher: Publisher, redis_url: str) -> None:
    publisher.near = lambda table: {0}
    assert publisher.watched("t", ALL) == {0}
    here = await ear(redis_url, "t")
    await settled(publisher, {0})
    elsewhere = await ear(redis_url, "t")
    await settled(publisher, ALL)
    for wire in (here, elsewhere):
        wire.abort("gone")


async def test_a_hub_says_as_whom_its_tables_are_followed(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        await ann.subscribe("t")
        assert set(hub.audiences("t")) == {0}
        await eve.subscribe("t")
        assert set(hub.audiences("t")) == {0, -1}
    await until(lambda: not hub.audiences("t"))


async def test_who_was_left_out_by_the_guess_reads_the_log(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        subs = await ann.subscribe("t"), await eve.subscribe("t")
        seq = await house.say("t", "cat", publish=False)
        await house.publisher.publish("t", seq, {0: b'{"seq":1,"type":"said","data":{"word":"cat"}}'})
        assert words(await ann.until(subs[0], 1)) == ["open", "cat"]
        await eve.until(subs[1], 1)
