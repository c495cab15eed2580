"""A WebSocket client that checks that each push follows the previous one."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.waiting import LIMIT, in_time, within_limit

Message = dict[str, Any]


class Client:
    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.events: dict[str, list[Message]] = {}
        self.next: dict[str, int] = {}
        self.heard: list[Message] = []
        """All messages from the server."""
        self.notices: list[Message] = []
        """Pushes that belong to no subscription."""
        self.closed: int | None = None
        self._answers: dict[object, asyncio.Future[Message]] = {}
        self._ids = count()
        self._news = asyncio.Condition()

    async def request(self, type: str, **members: object) -> Message:
        return await self.answer_to(next(self._ids), type=type, **members)

    async def answer_to(self, id: object, **members: object) -> Message:
        """Send a request and wait for the response with its id."""
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        await self.connection.send(msgspec.json.encode({"id": id} | members).decode())
        return await in_time(answer)

    async def raw(self, message: str | bytes) -> Message:
        """Send any message and wait for the next response, whatever its id.

        No other request may be pending.
        """
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._answers = defaultdict(lambda: answer)
        await self.connection.send(message)
        return await in_time(answer)

    async def subscribe(
        self, table: str, after: int = -1, viewer: int | str | None = None, head: str | None = None
    ) -> str:
        """Subscribe to a table and return the name of the new subscription."""
        answer = await self.request("subscribe", table=table, after=after, head=head, **{"as": viewer})
        assert answer["ok"], answer
        assert answer["seq"] == after
        sub: str = answer["sub"]
        return sub

    async def until(self, sub: str, seq: int) -> list[Message]:
        """Wait for the event number `seq` of a subscription, and return the events so far."""
        await self._until(lambda: self.next[sub] > seq)
        return self.events[sub]

    async def until_reset(self, sub: str) -> Message:
        """Wait for a reset of a subscription, and return the latest one."""
        await self._until(lambda: any(event["type"] == "reset" for event in self.events[sub]))
        return next(event for event in reversed(self.events[sub]) if event["type"] == "reset")

    async def until_notice(self, notice: Message) -> None:
        await self._until(lambda: notice in self.notices)

    async def until_closed(self) -> int | None:
        """Wait until the server closes the connection, and return the close code."""
        await self._until(lambda: self.closed is not None)
        return self.closed

    async def _until(self, condition: Callable[[], bool]) -> None:
        async with within_limit(), self._news:
            await self._news.wait_for(condition)

    async def read(self) -> None:
        try:
            async for message in self.connection:
                self._take(msgspec.json.decode(message))
                async with self._news:
                    self._news.notify_all()
        except ConnectionClosed:
            pass  # the close code is read below
        self.closed = self.connection.close_code
        async with self._news:
            self._news.notify_all()

    def _take(self, message: Message) -> None:
        self.heard.append(dict(message))
        if "ok" in message:
            self._answer(message)
        elif "seq" in message:
            self._push(message)
        else:
            self.notices.append(message)

    def _answer(self, message: Message) -> None:
        if message.get("sub"):
            self.next[message["sub"]] = message["seq"] + 1
            self.events[message["sub"]] = []
        self._answers[message["id"]].set_result(message)

    def _push(self, message: Message) -> None:
        sub = message.pop("sub")
        assert message["type"] == "reset" or message["seq"] == self.next[sub], f"{message} came instead of {self.next[sub]}"
        self.next[sub] = message["seq"] + 1
        self.events[sub].append(message)


@asynccontextmanager
async def client(port: int, token: str | None = None, hello: bool = True, **options: Any) -> AsyncIterator[Client]:
    """Yield a connected client that has said hello.

    If a response or push arrives out of order, leaving the context raises an error.
    """
    async with connect(f"ws://127.0.0.1:{port}", compression=None, open_timeout=LIMIT, **options) as connection:
        one = Client(connection)
        async with asyncio.TaskGroup() as group:
            group.create_task(one.read())
            if hello:
                assert (await one.request("hello", token=token))["ok"]
            yield one
            await connection.close()
