"""A closed socket leaves no garbage that only the garbage collector can free."""

import gc
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator

import pytest
from websockets.asyncio.server import ServerConnection

from ludarium.live.feed import Feed
from ludarium.live.gateway import Gateway
from ludarium.live.session import Session
from ludarium.live.socket_outlet import SocketOutlet
from ludarium.live.subscription import Subscription
from tests.live.house import House
from tests.support.live_client import Client, client
from tests.support.waiting import eventually

Way = Callable[[Client, House], Awaitable[None]]
KINDS = (ServerConnection, Session, SocketOutlet, Subscription, Feed)


@pytest.fixture(autouse=True)
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def living() -> Counter[str]:
    return Counter(type(each).__name__ for each in gc.get_objects() if issubclass(type(each), KINDS))


async def left(viewer: Client, house: House) -> None:
    await viewer.until(await viewer.subscribe("t"), 0)


async def unsubscribed(viewer: Client, house: House) -> None:
    await viewer.request("unsubscribe", sub=await viewer.subscribe("t"))


async def cut(viewer: Client, house: House) -> None:
    await viewer.subscribe("t")
    viewer.connection.transport.abort()


async def refused(viewer: Client, house: House) -> None:
    await viewer.request("subscribe", table="unknown", after=-1)


async def behind(viewer: Client, house: House) -> None:
    """Let the client miss a pushed event, which is then read from the log."""
    sub = await viewer.subscribe("t")
    await viewer.until(sub, 0)
    await house.say("t", "dog", publish=False)
    await house.say("t", "cat")
    await viewer.until(sub, 2)


@pytest.mark.parametrize("way", [left, unsubscribed, cut, refused, behind])
async def test_a_socket_that_has_gone_is_freed_at_once(house: House, gateway: Gateway, way: Way) -> None:
    await house.open("t", {"ann": 0})
    before = living()
    async with client(gateway.port, "ann-token") as ann:
        await way(ann, house)
        assert living() - before
    await eventually(lambda: not gateway.clients and not living() - before)
