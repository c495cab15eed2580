"""On the wire nobody can tell two worlds apart that differ only in what they may not know."""

import random

import redis.asyncio

from services.live.gateway import Gateway
from tests.live.house import House
from tests.live.rough import request, rough
from tests.live.taps import masked

ROWS = 60


async def capture(house: House, port: int, redis_url: str, secrets: list[str]) -> list[bytes]:
    """All bytes that a spectator and seat 1 are sent while seat 0 hears the secrets: some live, some from the log."""
    async with redis.asyncio.from_url(redis_url) as store:
        await store.flushall()
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
        return [await socket.read_until(last, seconds=15) for socket in (spectator, other)]


async def test_what_one_seat_hears_shows_in_no_byte_that_others_are_sent(
    house: House, gateway: Gateway, redis_url: str
) -> None:
    """Secrets of any length, some so long that Redis carries a hint only, some that it loses."""
    luck = random.Random(11)
    worlds = [
        await capture(house, gateway.port, redis_url, ["x" * luck.choice((1, 300, longest)) for _ in range(ROWS)])
        for longest in (2, 9000)
    ]
    for one, other in zip(*worlds, strict=True):
        assert masked(one) == masked(other)
        assert one.count(b'"type":"hidden"') >= ROWS
