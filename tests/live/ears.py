"""Watchers of a real table, each over one connection that it keeps: whatever is not the next event fails the test."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Iterable
from contextlib import aclosing, asynccontextmanager
from time import monotonic

import msgspec
from websockets.asyncio.client import connect

from ludarium_client import AsyncClient
from tests.api.people import Json, Person


class Ear:
    def __init__(self, who: Person | None, events: AsyncIterator[Json]) -> None:
        """`who`: whose seat it is; None: a spectator. `events`: what one connection brings, numbered or not."""
        self.who = who
        self.heard: list[Json] = []
        self.times: list[float] = []
        """When each event came, on the monotonic clock."""
        self._events, self._news = events, asyncio.Condition()

    async def listen(self) -> None:
        async with aclosing(self._events):  # type: ignore[type-var]
            async for event in self._events:
                if "seq" in event:
                    await self._take(event)
        raise AssertionError(f"the line has ended behind {self.heard[-1:]}")

    async def until(self, seq: int) -> None:
        async with self._news:
            await self._news.wait_for(lambda: len(self.heard) > seq)

    async def _take(self, event: Json) -> None:
        assert event["seq"] == len(self.heard), f"{event['seq']} came instead of {len(self.heard)}"
        self.heard.append(event)
        self.times.append(monotonic())
        async with self._news:
            self._news.notify_all()


async def all_told(ears: Iterable[Ear], seq: int, seconds: float) -> None:
    """Everybody has heard the event, in time. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        for ear in ears:
            await ear.until(seq)


@asynccontextmanager
async def listening(ears: Collection[Ear]) -> AsyncIterator[None]:
    """While it lasts they listen; one that fails ends it."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ear.listen()) for ear in ears]
        yield
        for task in tasks:
            task.cancel()


async def socket(port: int, table: str, token: str | None = None) -> AsyncGenerator[Json]:
    """A bare WebSocket."""
    async with connect(f"ws://127.0.0.1:{port}", compression=None) as connection:
        for request in ({"type": "hello", "token": token}, {"type": "subscribe", "table": table, "after": -1}):
            await connection.send(msgspec.json.encode({"id": 1} | request).decode())
        async for message in connection:
            told = msgspec.json.decode(message)
            if "ok" not in told:
                yield told


async def followed(client: AsyncClient, table: str) -> AsyncGenerator[Json]:
    """The Python client, which would come again by itself if its line were lost."""
    async with client.follow(table) as events:
        async for event in events:
            yield msgspec.to_builtins(event)
