"""Wait until a hub and its viewers wait for nothing but messages from Valkey."""

import redis.asyncio

from ludarium.live import channel
from ludarium.live.hub import Hub
from tests.live.house import House
from tests.support.live_client import Client
from tests.support.waiting import eventually


async def connected(hub: Hub, house: House) -> None:
    """Wait until messages can be sent to Valkey and received from it."""
    await eventually(lambda: hub.connected and house.publisher.connected)


async def settled(hub: Hub, table: str = "t") -> None:
    """Wait until the table's channel is confirmed and no read of the log is running."""
    await eventually(lambda: hub.settled(table))


async def heard_all(viewer: Client, sub: str, redis_url: str, table: str = "t") -> None:
    """Wait until the hub has received everything published about the table so far.

    Args:
        viewer: A client subscribed to the table as `sub`, from any position. The hub forwards a last message to this
            client.
    """
    mark = {"type": "rematch", "sub": sub}
    known = viewer.notices.count(mark)
    async with redis.asyncio.from_url(redis_url) as bare:
        await bare.spublish(channel.of_table(table), channel.REMATCH)
    await eventually(lambda: viewer.notices.count(mark) > known)
