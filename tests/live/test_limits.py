"""Limits apply to the client that abuses the service, and affect no other client."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from time import thread_time

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from ludarium.live.encoded import EncodedEvent
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.live.ports import NOTHING_KNOWN
from ludarium.platform import metering
from ludarium.platform.client_address import Proxies
from tests.live.house import House
from tests.live.rough import HANDSHAKE, Rough, frame, line, request, rough
from tests.live.test_reset import Taken
from tests.support.live_client import client
from tests.support.pushes import settled
from tests.support.waiting import LIMIT, eventually, within_limit

MANY = 4000
PATIENT = LiveLimits(hello=LIMIT, heartbeat=LIMIT, closing=0.3)
"""Limits that no other request of a test reaches."""
Served = Callable[[LiveLimits], AbstractAsyncContextManager[Gateway]]


@pytest.fixture
def served(hub: Hub, house: House) -> Served:
    """Return a function that makes a gateway with the given limits."""
    return lambda limits: Gateway("127.0.0.1", 0, hub, house.ports, limits)


@pytest.fixture
async def strict(served: Served) -> AsyncIterator[Gateway]:
    """Yield a gateway that allows few connections and subscriptions."""
    async with served(replace(PATIENT, connections=3, subscriptions=2)) as gateway:
        yield gateway


@pytest.fixture
async def hasty(served: Served, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Gateway]:
    """Yield a gateway with a short time limit for hello, but not for the handshake."""
    async with served(PATIENT) as gateway:
        monkeypatch.setattr(gateway, "_limits", replace(PATIENT, hello=0.3))
        yield gateway


async def test_hello_must_come_soon(hasty: Gateway) -> None:
    async with client(hasty.port, hello=False) as silent:
        assert await silent.until_closed() == 1008


async def test_refused_hellos_do_not_buy_time(hasty: Gateway) -> None:
    async with connect(f"ws://127.0.0.1:{hasty.port}") as guesser, within_limit():
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await guesser.send('{"id":1,"type":"hello","token":"guess"}')
                await guesser.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008


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
    await eventually(lambda: strict.clients == 0)
    async with client(strict.port):
        assert strict.clients == 1


async def test_too_many_messages_are_refused_one_by_one(served: Served) -> None:
    most = 60
    async with served(replace(PATIENT, messages=(1e-9, most))) as gateway, client(gateway.port) as hasty:
        answers = await asyncio.gather(*[hasty.request("ping") for _ in range(2 * most)])
        refused = [answer["problem"] for answer in answers if not answer["ok"]]
        assert len(refused) == most + 1         # hello is a message too
        assert {(problem["code"], problem["retry_after"]) for problem in refused} == {("rate-limited", 1)}


async def test_who_was_refused_for_its_haste_may_ask_again_later(served: Served) -> None:
    async with served(replace(PATIENT, messages=(5.0, 1))) as gateway, client(gateway.port) as hasty:

        async def answered() -> bool:
            return bool((await hasty.request("ping"))["ok"])

        await eventually(answered)


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
        await ann.until(sub, 1)
        said = asyncio.create_task(abuser.rest())
        await ann.request("ping")
        assert code.to_bytes(2) in await said
    await eventually(lambda: gateway.clients == 0)


async def test_a_handshake_that_never_ends_is_cut(served: Served) -> None:
    async with served(replace(PATIENT, hello=0.3)) as gateway, line(gateway.port) as slow:
        await slow.write(HANDSHAKE[:40])
        assert await slow.rest() == b""


@pytest.mark.parametrize("noise", [b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"\xff" * 5000])
async def test_who_speaks_something_else_is_turned_away(served: Served, noise: bytes) -> None:
    async with served(replace(PATIENT, hello=0.3)) as gateway:
        async with line(gateway.port) as stranger:
            await stranger.write(noise)
            assert b"101 Switching" not in await stranger.rest()
        assert gateway.clients == 0


async def test_a_half_open_connection_is_found_by_its_silence(served: Served) -> None:
    async with served(replace(PATIENT, heartbeat=0.5)) as gateway, rough(gateway.port) as dead:
        await dead.write(request("hello"))
        await eventually(lambda: gateway.clients == 1)
        await eventually(lambda: gateway.clients == 0)


@asynccontextmanager
async def stalled(house: House, hub: Hub, port: int) -> AsyncIterator[Rough]:
    """Yield a spectator of table `t` with more unread bytes than can be buffered."""
    async with rough(port, buffer=4096) as spectator:
        await spectator.write(request("hello") + request("subscribe", table="t", after=-1))
        await spectator.read_until(b'"as":"spectator"}')
        await settled(hub)
        for _ in range(MANY):
            await house.commit("t", dict.fromkeys((-1, 0), b'"%b"' % (b"x" * 3000)))
        yield spectator


async def test_a_client_that_stops_reading_is_dropped_and_costs_the_others_nothing(
    house: House, hub: Hub, gateway: Gateway
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        async with stalled(house, hub, gateway.port):
            await ann.until(sub, MANY)
            await eventually(lambda: gateway.clients == 1)


async def filled(house: House) -> None:
    """Fill table `t` with more bytes than kernel and gateway buffer for a client."""
    await house.open("t")
    for _ in range(MANY):
        await house.commit("t", {-1: b'"%b"' % (b"x" * 3000)}, publish=False)


async def test_a_newcomer_that_stops_reading_is_found_by_its_silence(
    house: House, served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    """The client is not reported as lagging."""
    caplog.set_level(logging.INFO)
    await filled(house)
    async with served(replace(PATIENT, heartbeat=2.0)) as gateway, rough(gateway.port, buffer=4096) as newcomer:
        await newcomer.write(request("hello") + request("subscribe", table="t", after=-1))
        await newcomer.read_until(b'"as":"spectator"}')
        await eventually(lambda: gateway.clients == 0)
    assert "lags" not in caplog.text


async def test_a_newcomer_may_take_its_time_with_what_it_missed(house: House, gateway: Gateway) -> None:
    await filled(house)
    async with rough(gateway.port, buffer=65536) as newcomer:
        await newcomer.write(request("hello") + request("subscribe", table="t", after=-1))
        unread = [0]

        def full() -> bool:
            unread.append(newcomer.unread())
            return unread[-1] == unread[-2] > 0

        await eventually(full)
        await newcomer.read_until(b'"seq":%d,' % MANY)


async def test_a_slow_client_that_reads_again_is_told_that_it_lagged(
    house: House, served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await house.open("t")
    async with served(replace(PATIENT, closing=LIMIT)) as gateway, rough(gateway.port, buffer=4096) as slow:
        await slow.write(request("hello") + request("subscribe", table="t", after=-1))
        await slow.read_until(b'"as":"spectator"}')
        while "lags" not in caplog.text:
            await house.commit("t", {-1: b'"%b"' % (b"x" * 3000)})
        await slow.read_until(b'{"type":"lagging"}\x88')


async def test_an_address_pays_for_the_cpu_time_of_its_requests_on_all_connections(house: House, served: Served) -> None:
    """A subscription's backlog counts too, but commands and pings are still accepted."""
    await house.open("t", {"ann": 0})
    for _ in range(MANY // 10):
        await house.commit("t", {-1: b'"%b"' % (b"x" * 3000)}, publish=False)
    limits = replace(PATIENT, work=(1e-6, 2e-3))
    async with served(limits) as gateway, client(gateway.port, "ann-token") as ann, client(gateway.port) as other:
        assert (await ann.request("lobby"))["problem"]["code"] == "not-found", "nothing is owed yet"
        sub = await other.subscribe("t")
        await other.until(sub, MANY // 10)
        for each in (ann, other):
            refusal = (await each.request("subscribe", table="t", after=-1))["problem"]
            assert refusal["code"] == "rate-limited" and refusal["retry_after"] > 1
        assert (await ann.request("ping"))["ok"]
        command = {"table": "t", "expected_seq": MANY // 10, "action": {"id": "cat", "subset": []}, "key": "k"}
        assert "rate-limited" not in str(await ann.request("command", **command))


class Costly(Taken):
    """A recipient that uses 20 ms of CPU time for each write."""

    def send(self, *news: EncodedEvent) -> None:
        super().send(*news)
        until = thread_time() + 0.02
        while thread_time() < until:
            pass


async def test_the_request_that_starts_a_subscription_pays_until_it_has_caught_up(house: House, hub: Hub) -> None:
    await house.open("t")
    outlet, meter = Costly(), metering.Meter()
    token = metering.current.set(meter)
    hub.follow("t", await house.viewpoint(None, "t", None), outlet, NOTHING_KNOWN, lambda _: None).start()
    metering.current.reset(token)
    assert meter.seconds == 0
    await eventually(lambda: outlet.seqs == [0])
    await eventually(lambda: meter.seconds >= 0.02)


async def test_all_connections_of_an_address_share_a_number_of_messages(served: Served) -> None:
    async with served(replace(PATIENT, address_messages=(1e-6, 5))) as gateway:
        async with client(gateway.port) as one, client(gateway.port) as other:
            for each in (one, other, one):
                assert (await each.request("ping"))["ok"]
            assert (await other.request("ping"))["problem"]["code"] == "rate-limited"
        async with client(gateway.port, hello=False) as again:
            assert (await again.request("hello"))["problem"]["code"] == "rate-limited", "a new connection changes nothing"


async def test_no_more_connections_of_one_address_than_allowed(hub: Hub, house: House) -> None:
    limits = LiveLimits(per_address=2, closing=0.3)
    async with Gateway("127.0.0.1", 0, hub, house.ports, limits, proxies=Proxies("127.0.0.1")) as gateway:
        async with client(gateway.port), client(gateway.port):
            with pytest.raises(InvalidStatus, match="503"):
                await connect(f"ws://127.0.0.1:{gateway.port}")
            elsewhere = {"X-Forwarded-For": "192.0.2.66, 192.0.2.7"}
            async with client(gateway.port, additional_headers=elsewhere) as eve:
                assert (await eve.request("ping"))["ok"]
        await eventually(lambda: gateway.clients == 0)
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
