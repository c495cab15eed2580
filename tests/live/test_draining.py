"""A stopping gateway takes no new clients, notifies all others and ends commands."""

import asyncio

import msgspec
import pytest
from websockets.asyncio.client import connect

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from tests.live.house import Held, House
from tests.support.live_client import client
from tests.support.waiting import LIMIT, eventually, in_time


class Slow(House):
    """A service whose commands are slow, as if the database were busy."""

    def __init__(self, log_url: str, redis_url: str) -> None:
        super().__init__(log_url, redis_url)
        self.commanded = Held()

    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        await self.commanded()
        return await super().submit(player, table, key, body, received=received, lag=lag, minimal=minimal)


async def test_clients_are_told_when_to_come_again(house: House, hub: Hub) -> None:
    await house.open("t")
    everybody = asyncio.Barrier(21)
    async with Gateway("127.0.0.1", 0, hub, house.ports) as gateway:
        port = gateway.port
        await asyncio.gather(*[_stay_to_the_end(port, everybody) for _ in range(20)], _close(gateway, everybody))
    with pytest.raises(OSError):
        await connect(f"ws://127.0.0.1:{port}")


async def _close(gateway: Gateway, everybody: asyncio.Barrier) -> None:
    await in_time(everybody.wait())
    await gateway.__aexit__()


async def _stay_to_the_end(port: int, everybody: asyncio.Barrier) -> None:
    async with client(port) as eve:
        sub = await eve.subscribe("t")
        await eve.until(sub, 0)
        await in_time(everybody.wait())
        assert await eve.until_closed() == 1012
        [notice] = eve.notices
        assert notice["type"] == "going-away"
        assert 0 <= notice["retry_after_ms"] <= 5000


async def test_a_command_under_way_is_answered_first(redis_url: str, hub: Hub) -> None:
    patient = LiveLimits(grace=LIMIT)
    async with Slow(redis_url, redis_url) as house, Gateway("127.0.0.1", 0, hub, house.ports, patient) as gateway:
        await house.open("t", {"ann": 0})
        async with client(gateway.port, "ann-token") as ann:
            answer = asyncio.create_task(ann.request("command", table="t", expected_seq=0, action={"id": "last"}))
            await in_time(house.commanded.asked.wait())
            leaving = asyncio.create_task(gateway.__aexit__())
            await eventually(lambda: ann.notices)
            house.commanded.released.set()
            await in_time(leaving)
            assert (await answer)["result"] == {"seq": 1}
            assert await ann.until_closed() == 1012


async def test_nobody_holds_up_the_end_for_ever(redis_url: str, hub: Hub) -> None:
    hasty = LiveLimits(grace=0.3)
    async with Slow(redis_url, redis_url) as house, Gateway("127.0.0.1", 0, hub, house.ports, hasty) as gateway:
        await house.open("t", {"ann": 0})
        async with connect(f"ws://127.0.0.1:{gateway.port}") as ann:
            await ann.send(msgspec.json.encode({"id": 1, "type": "hello", "token": "ann-token"}).decode())
            await ann.recv()
            command = {"id": 2, "type": "command", "table": "t", "expected_seq": 0, "action": {"id": "late"}}
            await ann.send(msgspec.json.encode(command).decode())
            await in_time(house.commanded.asked.wait())
            await in_time(gateway.__aexit__())
