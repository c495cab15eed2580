"""Non-interference on the wire, in the minimal table service.

Audiences cannot distinguish games that differ only in what is hidden from them.
"""

import random

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from tests.live.house import House
from tests.live.rough import request, rough
from tests.live.taps import masked
from tests.support.entropy import ENTROPY
from tests.support.valkey import own_valkey

ROWS = 60


async def world(secrets: list[str]) -> list[bytes]:
    """Record what a server sends to a spectator and seat 1 while seat 0 gets secrets.

    The server has its own Valkey.
    """
    async with (
        own_valkey() as valkey,
        House(valkey.url, valkey.url) as house,
        Hub(valkey.url, house, ENTROPY) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.5)) as gateway,
    ):
        return await capture(house, gateway.port, secrets)


async def capture(house: House, port: int, secrets: list[str]) -> list[bytes]:
    """Record all bytes sent to a spectator and seat 1 while seat 0 gets the secrets.

    Some of the events are pushed, and others are read from the log.
    """
    await house.open("t", {"ann": 0, "bob": 1})
    for word in secrets[: ROWS // 3]:
        await house.say("t", word)
    async with rough(port) as spectator, rough(port) as other:
        await spectator.write(request("hello") + request("subscribe", table="t", after=-1))
        await other.write(request("hello", token="bob-token") + request("subscribe", table="t", after=-1))
        for number, word in enumerate(secrets[ROWS // 3 :]):
            await house.say("t", word, publish=number % 7 != 0)
        await house.say("t", "for bob", seat=1)
        last = b'"seq":%d,' % (ROWS + 1)
        return [await socket.read_until(last) for socket in (spectator, other)]


async def test_what_one_seat_hears_shows_in_no_byte_that_others_are_sent() -> None:
    """The secrets have any length, since Redis carries only a hint of long events.

    Some messages are lost.
    """
    luck = random.Random(11)
    worlds = [await world(["x" * luck.choice((1, 300, longest)) for _ in range(ROWS)]) for longest in (2, 9000)]
    for one, other in zip(*worlds, strict=True):
        assert masked(one) == masked(other)
        assert one.count(b'"type":"hidden"') >= ROWS
