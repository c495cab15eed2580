"""Messages are rendered only for subscribers; a missed subscriber reads the log."""

from collections.abc import AsyncIterator, Callable

import pytest

from ludarium.live import channel
from ludarium.live.channel import Push
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.publisher import Publisher
from ludarium.live.redis_connection import RedisConnection, connect
from tests.live.house import House
from tests.live.test_following import words
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.valkey import Valkey
from tests.support.waiting import eventually

ALL = range(-1, 2)
PREV = bytes(range(8))


@pytest.fixture
async def publisher(redis_url: str) -> AsyncIterator[Publisher]:
    async with Publisher(redis_url, ENTROPY) as publisher:
        yield publisher


async def ear(redis_url: str, table: str, heard: list[bytes] | None = None, *audiences: int) -> RedisConnection:
    """Return a connection that follows the table as another process would."""
    joined, payloads = list[bytes](), [] if heard is None else heard
    wire = await connect(redis_url, joined=joined.append, heard=lambda _, payload: payloads.append(payload))
    wire.subscribe(channel.of_table(table), *[channel.of_view_channel(table, audience) for audience in audiences])
    await eventually(lambda: len(joined) == 1 + len(audiences))
    return wire


async def settled(publisher: Publisher, expected: list[int]) -> None:
    """Publish events until the next one is rendered for the expected audiences."""
    async def wanted() -> bool:
        if [*publisher.watched("t", ALL)] == expected:
            return True
        await publisher.publish("t", 0, b"", {})
        return False

    await eventually(wanted)


async def published_until(publisher: Publisher, condition: Callable[[], bool]) -> None:
    """Publish one event repeatedly until the condition holds."""
    async def heard() -> bool:
        if condition():
            return True
        await publisher.publish("t", 1, PREV, {0: b"{}", -1: b"{}"})
        return False

    await eventually(heard)


async def test_a_table_that_nobody_follows_is_only_hinted_at(publisher: Publisher) -> None:
    await publisher.publish("t", 0, b"", {})
    assert publisher.watched("t", ALL) == ()


async def test_what_another_process_follows_is_made_for_those_who_do(publisher: Publisher, redis_url: str) -> None:
    wire = await ear(redis_url, "t", None, 1, -1)
    await settled(publisher, [-1, 1])
    another = await ear(redis_url, "t", None, 0)
    await settled(publisher, [*ALL])
    wire.abort("gone")
    await settled(publisher, [0])
    another.abort("gone")
    await settled(publisher, [])


class Followers:
    """Followers of each table from seat 0 in this process, with their messages."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Push]] = []

    def channels(self, table: str) -> set[int]:
        return {0}

    def deliver(self, table: str, push: Push) -> None:
        self.told.append((table, push))


async def test_what_is_followed_here_alone_is_made_for_those_who_do(publisher: Publisher, redis_url: str) -> None:
    publisher.local = Followers()
    assert publisher.watched("t", ALL) == {0}
    here = await ear(redis_url, "t", None, 0)
    await settled(publisher, [0])
    elsewhere = await ear(redis_url, "t", None, 1)
    await settled(publisher, [0, 1])
    for wire in (here, elsewhere):
        wire.abort("gone")


async def test_who_follows_here_is_told_without_redis(valkey: Valkey) -> None:
    await valkey.kill()
    async with Publisher(valkey.url, ENTROPY) as publisher:
        publisher.local = near = Followers()
        for seq in range(3):
            await publisher.publish("t", seq, PREV, {0: b"{}"})
        await eventually(lambda: near.told == [("t", Push(seq, PREV, {0: b"{}"})) for seq in range(3)])
        await valkey.start()  # the pending hint is sent, and nothing waits for it at the end


async def test_redis_is_given_the_number_alone_while_nobody_listens_elsewhere(
    publisher: Publisher, redis_url: str
) -> None:
    publisher.local = Followers()
    heard: list[bytes] = []
    here = await ear(redis_url, "t", heard)
    await published_until(publisher, lambda: heard[-1:] == [channel.hint(1)])
    elsewhere = await ear(redis_url, "t")
    await published_until(publisher, lambda: heard[-1:] == [channel.encode(Push(1, PREV, {0: b"{}", -1: b"{}"}))])
    for wire in (here, elsewhere):
        wire.abort("gone")


async def test_only_the_audience_whose_message_is_too_large_is_hinted_at() -> None:
    large = bytes(channel.LARGEST + 1)
    push = Push(7, PREV, {0: b"{}", 1: large, -1: large[1:]})
    assert channel.decode(channel.encode(push)) == Push(7, PREV, {0: b"{}", -1: large[1:]})


async def test_messages_shrink_to_hints_while_redis_takes_no_bytes(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.live.publisher.UNSENT", 100_000)
    async with Publisher(valkey.url, ENTROPY) as publisher:
        heard: list[bytes] = []
        wire = await ear(valkey.url, "t", heard)
        await published_until(publisher, lambda: bool(heard))
        publisher.lost = 0
        await valkey.freeze()
        for seq in range(100):
            await publisher.publish("t", seq, PREV, {0: bytes(10_000)})
        assert 80 < publisher.lost < 100
        await valkey.thaw()
        wire.abort("gone")


async def test_a_hub_says_as_whom_its_tables_are_followed(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        await ann.subscribe("t")
        assert set(hub.channels("t")) == {0}
        await eve.subscribe("t")
        assert set(hub.channels("t")) == {0, -1}
    await eventually(lambda: not hub.channels("t"))


async def test_who_was_left_out_by_the_guess_reads_the_log(house: House, hub: Hub, gateway: Gateway) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        subs = await ann.subscribe("t"), await eve.subscribe("t")
        seq = await house.say("t", "cat", publish=False)
        prev = await house.link("t", seq - 1)
        await house.publisher.publish("t", seq, prev, {0: b'{"seq":1,"type":"said","data":{"word":"cat"}}'})
        assert words(await ann.until(subs[0], 1)) == ["open", "cat"]
        await eve.until(subs[1], 1)
