"""Redis may lose, repeat or reorder messages, or be away; clients miss nothing.

The messages are only hints, since the log has every event.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import redis.asyncio

from ludarium.live import channel
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.publisher import Publisher
from ludarium.live.redis_connection import connect
from ludarium.platform import complaints
from tests.live.house import Held, House, rendered
from tests.live.test_following import words
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.pushes import connected, heard_all, settled
from tests.support.valkey import Valkey
from tests.support.waiting import NEVER, eventually, in_time


@pytest.fixture
async def house(redis_url: str, valkey: Valkey) -> AsyncIterator[House]:
    """Yield a service whose tables are safe if the server with the messages is killed."""
    async with House(redis_url, valkey.url) as house:
        yield house


@pytest.fixture
async def hub(valkey: Valkey, house: House) -> AsyncIterator[Hub]:
    async with Hub(valkey.url, house, ENTROPY) as hub:
        yield hub


async def test_what_redis_brings_is_not_read_again(
    house: House, hub: Hub, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds on arrival, and also when the log is checked."""
    for name, seconds in {"LOG_CHECK": 0.01, "REDIS_GRACE": 0}.items():
        monkeypatch.setattr(f"ludarium.live.hub.{name}", seconds)
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await settled(hub)
        house.looking = look = Held()
        await in_time(look.asked.wait())
        reads = house.reads
        for number in range(20):
            await house.say("t", str(number))
        await ann.until(sub, 20)
        look.released.set()
        looks = house.looks
        await eventually(lambda: house.looks > looks + 2)
        await settled(hub)
        assert house.reads == reads


async def test_a_hint_costs_one_read_and_none_when_everybody_has_it(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, redis.asyncio.from_url(valkey.url) as bare:
        sub = await ann.subscribe("t")
        await settled(hub)
        reads = house.reads
        for seq in range(1, 4):
            await house.say("t", str(seq), publish=False)
            for _ in range(3):
                await bare.spublish(channel.of_table("t"), channel.hint(seq))
                await ann.until(sub, seq)
        await heard_all(ann, sub, valkey.url)
        await settled(hub)
        assert house.reads == reads + 3


async def test_who_joins_a_table_that_is_followed_costs_one_read(
    unpolled: None, house: House, hub: Hub, gateway: Gateway
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port) as eve, client(gateway.port, "ann-token") as ann:
        await eve.subscribe("t")
        await settled(hub)
        reads = house.reads
        await ann.until(await ann.subscribe("t"), 0)
        await settled(hub)
        assert house.reads == reads + 1


@pytest.mark.parametrize("hints", [0.0, 0.2])
async def test_loss_repetition_and_disorder_do_not_show(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey, hints: float
) -> None:
    chance = random.Random(7)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, redis.asyncio.from_url(valkey.url) as mischief:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await settled(hub)
        for first in range(1, 400, 20):
            told = [(first + step, {0: b'{"word":"%d"}' % (first + step)}) for step in range(20)]
            for _, row in told:
                await house.commit("t", row, publish=False)
            for seq, row in chance.choices(told, k=30) if first < 380 else told:
                push = channel.Push(seq, await house.link("t", seq - 1), rendered(seq, row))
                late = channel.hint(seq) if chance.random() < hints else channel.encode(push)
                await mischief.spublish(channel.of_table("t"), late)
        heard = await ann.until(sub, 400)
        assert words(heard) == ["open", *map(str, range(1, 401))]


async def test_noise_on_a_channel_harms_nobody(house: House, hub: Hub, gateway: Gateway, valkey: Valkey) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, redis.asyncio.from_url(valkey.url) as mischief:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        for noise in (b"", b"\xc1", b"\x93\x01\x02\x03", channel.hint(10**9), channel.hint(-5)):
            await mischief.spublish(channel.of_table("t"), noise)
        await house.say("t", "cat")
        assert words(await ann.until(sub, 1)) == ["open", "cat"]


async def test_a_game_goes_on_without_redis_and_push_resumes_with_it(
    house: House, hub: Hub, gateway: Gateway, valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0, "bob": 1})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        subs = await ann.subscribe("t"), await eve.subscribe("t")
        await valkey.kill()
        answer = await ann.request("command", table="t", expected_seq=0, action={"id": "in the dark"})
        assert answer["result"] == {"seq": 1}
        assert words(await ann.until(subs[0], 1)) == ["open", "in the dark"]
        await eve.until(subs[1], 1)
        assert not hub.connected
        monkeypatch.setattr("ludarium.live.hub.REDIS_GRACE", NEVER)  # from here on, the log is too late
        await valkey.start()
        await eventually(lambda: hub.connected)
        await house.say("t", "in the light")
        assert words(await ann.until(subs[0], 2))[2:] == ["in the light"]


async def test_what_a_process_died_before_publishing_is_noticed_in_the_log(
    house: House, hub: Hub, gateway: Gateway
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, client(gateway.port) as eve:
        subs = await ann.subscribe("t"), await eve.subscribe("t")
        await ann.until(subs[0], 0)
        for seq in range(1, 4):
            await house.say("t", f"unheard {seq}", publish=False)
            await ann.until(subs[0], seq)
            await eve.until(subs[1], seq)


async def test_what_was_missed_without_redis_is_fetched_as_soon_as_it_is_back(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await valkey.kill()
        await eventually(lambda: not hub.connected)
        await house.say("t", "in the dark", publish=False)
        await valkey.start()
        await ann.until(sub, 1)


async def test_what_happens_while_redis_comes_back_and_a_newcomer_reads_is_not_missed(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await valkey.kill()
    await house.open("t", {"ann": 0})
    house.meanwhile = read = Held()
    async with client(gateway.port, "ann-token") as ann, asyncio.TaskGroup() as group:
        subscribed = group.create_task(ann.subscribe("t"))
        await in_time(read.asked.wait())        # the read is about to return the first event
        await house.say("t", "unheard", publish=False)
        await valkey.start()
        await eventually(lambda: hub.connected)
        read.released.set()
        await ann.until(await subscribed, 1)


async def test_a_table_first_followed_without_redis_is_pushed_when_it_is_back(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await valkey.kill()
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await valkey.start()
        await settled(hub)
        await house.say("t", "cat")
        await ann.until(sub, 1)


async def test_publishing_never_waits_for_redis_and_repeats_as_a_hint_what_was_lost(
    valkey: Valkey, tmp_path: Path
) -> None:
    door = tmp_path / "door"                    # the publisher's only way to Redis
    door.symlink_to(urlsplit(valkey.url).path)
    async with Publisher(f"unix://{door}", ENTROPY) as publisher:
        await eventually(lambda: publisher.connected)
        await valkey.kill()
        door.unlink()
        for seq in range(100):
            assert_ends_at_once(publisher.publish("t", seq, b"", {0: b"{}"}))
        await eventually(lambda: publisher.lost == 100)
        await valkey.start()
        heard, joined = asyncio.Queue[bytes](), asyncio.Event()
        wire = await connect(valkey.url, heard=lambda _, payload: heard.put_nowait(payload), joined=lambda _: joined.set())
        wire.subscribe(channel.of_table("t"))
        await in_time(joined.wait())
        door.symlink_to(urlsplit(valkey.url).path)
        assert channel.decode(await in_time(heard.get())) == channel.Push(99, b"", {})
        wire.abort("heard enough")


def assert_ends_at_once(work: Coroutine[object, None, None]) -> None:
    """Check that the coroutine ends without waiting."""
    with pytest.raises(StopIteration):
        work.send(None)


async def test_what_is_announced_while_the_log_is_read_is_read_too(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, redis.asyncio.from_url(valkey.url) as mischief:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await settled(hub)
        house.meanwhile = read = Held()
        await mischief.spublish(channel.of_table("t"), channel.hint(1))
        await in_time(read.asked.wait())        # the read is about to return nothing
        await house.say("t", "cat", publish=False)
        await mischief.spublish(channel.of_table("t"), channel.hint(1))
        await heard_all(ann, sub, valkey.url)
        read.released.set()
        await ann.until(sub, 1)


async def test_a_newcomer_sees_a_hole_in_what_was_heard_while_it_read(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, valkey: Valkey
) -> None:
    await connected(hub, house)
    await house.open("t", {"ann": 0, "bob": 1})
    async with (
        client(gateway.port, "bob-token") as bob,
        client(gateway.port, "ann-token") as ann,
        asyncio.TaskGroup() as group,
    ):
        bobs = await bob.subscribe("t")
        await settled(hub)
        house.meanwhile = read = Held()
        subscribed = group.create_task(ann.subscribe("t"))
        await in_time(read.asked.wait())        # the read is about to return the first event
        await house.say("t", "unheard", publish=False)
        await house.say("t", "heard")
        await heard_all(bob, bobs, valkey.url)
        read.released.set()
        assert words(await ann.until(await subscribed, 2)) == ["open", "unheard", "heard"]


async def test_a_hub_that_may_not_log_in_polls(
    redis_url: str, house: House, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(complaints, "SETTLING", 0)      # alone, this test runs while its process starts
    await house.open("t", {"ann": 0})
    async with (
        Hub(redis_url.replace("unix://", "unix://nobody:wrong@"), house, ENTROPY) as deaf,
        Gateway("127.0.0.1", 0, deaf, house.ports) as gateway,
        client(gateway.port, "ann-token") as ann,
    ):
        sub = await ann.subscribe("t")
        await house.say("t", "cat")
        await ann.until(sub, 1)
        assert not deaf.connected
        assert caplog.text.count("Redis is not heard") == 1
