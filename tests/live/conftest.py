"""Fixtures for gateways on real sockets with a real Valkey."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection

import pytest

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.live.ports import LogCheckpoint, LogProgress
from ludarium.live_adapters import TableLog
from tests.live.house import House
from tests.support.entropy import ENTROPY
from tests.support.valkey import Valkey, own_valkey
from tests.support.waiting import NEVER, eventually

Looked = Callable[[], Awaitable[object]]


@pytest.fixture
async def valkey() -> AsyncIterator[Valkey]:
    """Yield a Valkey that the test may kill."""
    async with own_valkey() as server:
        yield server


@pytest.fixture
async def house(redis_url: str) -> AsyncIterator[House]:
    async with House(redis_url, redis_url) as house:
        yield house


@pytest.fixture
def unpolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the hub from checking the log, and make it reconnect soon.

    Request this fixture before the hub.
    """
    for name, seconds in {"LOG_CHECK": NEVER, "LATE": 0.2}.items():
        monkeypatch.setattr(f"ludarium.live.hub.{name}", seconds)


@pytest.fixture
async def hub(redis_url: str, house: House) -> AsyncIterator[Hub]:
    async with Hub(redis_url, house, ENTROPY) as hub:
        yield hub


@pytest.fixture
async def gateway(hub: Hub, house: House) -> AsyncIterator[Gateway]:
    async with Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.5)) as gateway:
        yield gateway


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Looked:
    """Return a function that waits until the server has checked the log once more."""
    asked = answered = 0

    async def advanced(self: TableLog, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        nonlocal asked, answered
        asked += 1
        mine = asked
        found = await original(self, tables, since)
        answered = mine
        return found

    async def one_more() -> None:
        begun = asked
        await eventually(lambda: answered > begun)

    original = TableLog.progress
    monkeypatch.setattr(TableLog, "progress", advanced)
    return one_more
