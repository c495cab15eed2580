"""Clients that follow a real table, and fail if an event is not the next one."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from time import monotonic

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ludarium_client import AsyncClient
from tests.support.people import Json, Person
from tests.support.waiting import LIMIT, eventually, within_limit

LOST = (ConnectionClosed, InvalidHandshake, OSError, EOFError)


class Ear:
    """A client that follows a table and records its events."""

    def __init__(self, who: Person | None, events: AsyncIterator[Json]) -> None:
        """Create a client.

        Args:
            who: The player, or None for a spectator.
            events: All messages in order, including the numbered events.
        """
        self.who = who
        self.heard: list[Json] = []
        self.times: list[float] = []
        """The time of each event's arrival, on the monotonic clock."""
        self.notices: list[str] = []
        """The types of messages without a number."""
        self._events, self._news = events, asyncio.Condition()

    async def listen(self) -> None:
        async with aclosing(self._events):  # type: ignore[type-var]
            async for event in self._events:
                if "seq" in event:
                    await self._take(event)
                else:
                    self.notices.append(event["type"])
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


async def all_told(ears: Iterable[Ear], seq: int) -> None:
    """Wait until all clients have received event number `seq`."""
    async with within_limit():
        for ear in ears:
            await ear.until(seq)


async def most_told(ears: Collection[Ear], seq: int) -> None:
    """Wait until more than half of the clients have received event number `seq`."""
    await eventually(lambda: 2 * sum(len(ear.heard) > seq for ear in ears) > len(ears))


@asynccontextmanager
async def listening(ears: Collection[Ear]) -> AsyncIterator[None]:
    """Let the clients receive messages until the context ends or a client fails."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ear.listen()) for ear in ears]
        yield
        for task in tasks:
            task.cancel()


async def socket(
    port: int, table: str, token: str | None = None, after: int = -1, head: str | None = None
) -> AsyncGenerator[Json]:
    """Follow a table over a plain WebSocket."""
    async with connect(f"ws://127.0.0.1:{port}", compression=None, open_timeout=LIMIT) as connection:
        for request in ({"type": "hello", "token": token}, {"type": "subscribe", "table": table, "after": after, "head": head}):
            await connection.send(msgspec.json.encode({"id": 1} | request).decode())
        async for message in connection:
            told = msgspec.json.decode(message)
            assert told.get("ok", True), told
            if "ok" not in told:
                yield told


async def sockets(port: int, table: str, token: str | None = None) -> AsyncGenerator[Json]:
    """Follow a table over plain WebSockets, resuming after the last received event."""
    seen = -1
    while True:
        with suppress(*LOST):
            async with aclosing(socket(port, table, token, seen)) as events:
                async for event in events:
                    seen = event.get("seq", seen)
                    yield event


async def followed(client: AsyncClient, table: str) -> AsyncGenerator[Json]:
    """Follow a table with the Python client."""
    async with client.follow(table) as events:
        async for event in events:
            yield msgspec.to_builtins(event)
