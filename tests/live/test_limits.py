"""Abuse: limits hold, the abuser is told or cut, and the others notice nothing."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.frames import Frame, Opcode

from services.live.gateway import Gateway
from services.live.hub import Hub
from services.live.limits import LiveLimits
from services.proxies import Proxies
from tests.live.client import client
from tests.live.house import House
from tests.live.rough import HANDSHAKE, Rough, frame, line, request, rough
from tests.live.test_redis import until

MANY = 4000
QUICK = LiveLimits(hello=0.3, heartbeat=0.5, closing=0.3, connections=3, subscriptions=2)


@pytest.fixture
async def strict(hub: Hub, house: House) -> AsyncIterator[Gateway]:
    """With short delays and low limits."""
    async with Gateway("127.0.0.1", 0, hub, house.ports, QUICK) as gateway:
        yield gateway


async def test_hello_must_come_soon(strict: Gateway) -> None:
    async with client(strict.port, hello=False) as silent:
        assert await silent.until_closed(2) == 1008


async def test_refused_hellos_do_not_buy_time(strict: Gateway) -> None:
    async with client(strict.port, hello=False) as guesser:
        for _ in range(10):
            await guesser.request("hello", token="guess")
        assert await guesser.until_closed(2) == 1008


async def test_no_more_subscriptions_than_allowed(house: House, strict: Gateway) -> None:
    for table in "abc":
        await house.open(table)
    async with client(strict.port) as greedy:
        subs = [await greedy.subscribe(table) for table in "ab"]
        refused = await greedy.request("subscribe", table="c", after=-1)
        assert refused["problem"]["code"] == "too-many-subscriptions"
        await greedy.request("unsubscribe", sub=subs[0])
        await greedy.subscribe("c")


async def test_no_more_connections_than_allowed(strict: Gateway) -> None:
    async with client(strict.port), client(strict.port), client(strict.port):
        with pytest.raises(InvalidStatus, match="503"):
            await connect(f"ws://127.0.0.1:{strict.port}")
    await until(lambda: strict.clients == 0)
    async with client(strict.port):
        assert strict.clients == 1


async def test_too_many_messages_are_refused_one_by_one(gateway: Gateway) -> None:
    async with client(gateway.port) as hasty:
        answers = await asyncio.gather(*[hasty.request("ping") for _ in range(120)])
        refused = [answer["problem"] for answer in answers if not answer["ok"]]
        assert len(refused) > 50
        assert {problem["code"] for problem in refused} == {"rate-limited"}
        await asyncio.sleep(refused[0]["retry_after"] * 2)
        assert (await hasty.request("ping"))["ok"]


@pytest.mark.parametrize(
    "flood, code",
    [
        (frame(Opcode.TEXT, b" " * 20_000), 1009),
        (frame(Opcode.TEXT, b" " * 9_000, fin=False) + frame(Opcode.CONT, b" " * 9_000), 1009),
        (frame(Opcode.TEXT, b"\xff\xfe"), 1007),
        (frame(Opcode.TEXT, fin=False) + frame(Opcode.CONT, fin=False) * 70, 1008),
        (frame(Opcode.PING) * 1000, 1008),
        (frame(Opcode.PONG) * 1000, 1008),
        (request("ping") * 1000, 1008),
        (Frame(Opcode.TEXT, b"{}").serialize(mask=False), 1002),
        (b"\xff" * 100, 1002),
    ],
    ids=["long", "long in parts", "not utf-8", "endless", "pings", "pongs", "requests", "unmasked", "garbage"],
)
async def test_a_broken_or_flooding_client_is_closed_and_others_notice_nothing(
    house: House, gateway: Gateway, flood: bytes, code: int
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann, rough(gateway.port) as abuser:
        sub = await ann.subscribe("t")
        await abuser.write(request("hello") + flood)
        await house.say("t", "cat")
        await ann.until(sub, 1, seconds=2)
        said = asyncio.create_task(abuser.rest())
        await ann.request("ping")
        assert code.to_bytes(2) in await said
    await until(lambda: gateway.clients == 0)


async def test_a_handshake_that_never_ends_is_cut(strict: Gateway) -> None:
    async with line(strict.port) as slow:
        await slow.write(HANDSHAKE[:40])
        assert await slow.rest(seconds=2) == b""


@pytest.mark.parametrize("noise", [b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 5000])
async def test_who_speaks_something_else_is_turned_away(strict: Gateway, noise: bytes) -> None:
    async with line(strict.port) as stranger:
        await stranger.write(noise)
        assert b"101 Switching" not in await stranger.rest(seconds=2)
    assert strict.clients == 0


async def test_a_half_open_connection_is_found_by_its_silence(strict: Gateway) -> None:
    async with rough(strict.port) as dead:
        await dead.write(request("hello"))
        await until(lambda: strict.clients == 1)
        await until(lambda: strict.clients == 0, seconds=5)


@asynccontextmanager
async def stalled(house: House, port: int) -> AsyncIterator[Rough]:
    """A spectator of table `t` that has not read while more was said than kernels and gateway keep for it."""
    async with rough(port, buffer=4096) as spectator:
        await spectator.write(request("hello") + request("subscribe", table="t", after=-1))
        await spectator.read_until(b'"as":"spectator"}')
        await asyncio.sleep(0.2)  # until it is live
        for _ in range(MANY):
            await house.commit("t", dict.fromkeys((-1, 0), b'"%b"' % (b"x" * 3000)))
        yield spectator


async def test_a_client_that_stops_reading_is_dropped_and_costs_the_others_nothing(
    house: House, gateway: Gateway
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        async with stalled(house, gateway.port):
            await ann.until(sub, MANY)
            await until(lambda: gateway.clients == 1)


async def filled(house: House) -> None:
    """Gives table `t` more than kernels and gateway keep for a client."""
    await house.open("t")
    for _ in range(MANY):
        await house.commit("t", {-1: b'"%b"' % (b"x" * 3000)}, publish=False)


async def test_a_newcomer_that_stops_reading_is_found_by_its_silence(house: House, strict: Gateway) -> None:
    await filled(house)
    async with rough(strict.port, buffer=4096) as newcomer:
        await newcomer.write(request("hello") + request("subscribe", table="t", after=-1))
        await newcomer.read_until(b'"as":"spectator"}')
        assert strict.clients == 1
        await until(lambda: strict.clients == 0)


async def test_a_newcomer_may_take_its_time_with_what_it_missed(house: House, gateway: Gateway) -> None:
    await filled(house)
    async with rough(gateway.port, buffer=65536) as newcomer:
        await newcomer.write(request("hello") + request("subscribe", table="t", after=-1))
        await asyncio.sleep(0.5)
        await newcomer.read_until(b'"seq":%d,' % MANY, seconds=20)


async def test_a_slow_client_that_reads_again_is_told_that_it_lagged(
    house: House, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await house.open("t")
    limits = LiveLimits(closing=2)
    async with Gateway("127.0.0.1", 0, hub, house.ports, limits) as patient, rough(patient.port, buffer=4096) as slow:
        await slow.write(request("hello") + request("subscribe", table="t", after=-1))
        await slow.read_until(b'"as":"spectator"}')
        while "lags" not in caplog.text:
            await house.commit("t", {-1: b'"%b"' % (b"x" * 3000)})
        assert b'{"type":"lagging"}\x88' in await slow.rest()


async def test_no_more_connections_of_one_address_than_allowed(hub: Hub, house: House) -> None:
    limits = LiveLimits(per_address=2, closing=0.3)
    async with Gateway("127.0.0.1", 0, hub, house.ports, limits, proxies=Proxies("127.0.0.1")) as gateway:
        async with client(gateway.port), client(gateway.port):
            with pytest.raises(InvalidStatus, match="503"):
                await connect(f"ws://127.0.0.1:{gateway.port}")
            elsewhere = {"X-Forwarded-For": "192.0.2.66, 192.0.2.7"}
            async with client(gateway.port, additional_headers=elsewhere) as eve:
                assert (await eve.request("ping"))["ok"]
        await until(lambda: gateway.clients == 0)
        async with client(gateway.port), client(gateway.port):
            assert gateway.clients == 2


async def test_a_stranger_cannot_choose_an_address(hub: Hub, house: House) -> None:
    limits = LiveLimits(per_address=1, closing=0.3)
    async with Gateway("127.0.0.1", 0, hub, house.ports, limits) as gateway, client(gateway.port):
        with pytest.raises(InvalidStatus, match="503"):
            await connect(f"ws://127.0.0.1:{gateway.port}", additional_headers={"X-Forwarded-For": "192.0.2.7"})


@pytest.mark.parametrize("path", [b"/healthz", b"/readyz"])
async def test_the_gateway_says_that_it_is_healthy(gateway: Gateway, path: bytes) -> None:
    async with line(gateway.port) as probe:
        await probe.write(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert (await probe.rest()).startswith(b"HTTP/1.1 200")
