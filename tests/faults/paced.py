"""People who play over sockets at a steady pace."""
from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from random import Random
from time import monotonic

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidMessage

from ludarium.platform.background import background
from tests.faults.history import Attempt
from tests.faults.kills import Play, Tried, attempt_of
from tests.faults.rolling import ask
from tests.support.blind_client import random_action
from tests.support.entropy import uuid4
from tests.support.people import Json, Person

PACE = 5.0
"""Seconds between two moves of a busy table."""
PATIENCE = 60.0
Line = Callable[[str, Person], AbstractAsyncContextManager[ClientConnection]]


class View(msgspec.Struct):
    """The part of a view that a player needs, in which `choice` stays encoded."""

    seq: int
    status: str
    choice: msgspec.Raw = msgspec.Raw(b"null")

    @property
    def is_asked(self) -> bool:
        return bytes(self.choice) != b"null"


class Told(msgspec.Struct):
    view: View | None = None


class Event(msgspec.Struct):
    """An event; only the newest of several has the view."""

    data: Told | None = None


class Result(msgspec.Struct):
    events: list[Event] = []


class News(Event):
    """A message of the gateway, which is either an event or the response to a command."""

    ok: bool | None = None
    result: Result | None = None


NEWS = msgspec.json.Decoder(News)


class Seat:
    """A player of a table with a separate connection and the latest view."""

    def __init__(self, line: ClientConnection, person: Person, moved: asyncio.Event) -> None:
        """Create a seat.

        Args:
            moved: An asyncio event that is set whenever there is a new view.
        """
        self.line, self.person, self.moved = line, person, moved
        self.view: View | None = None
        self.answered: asyncio.Future[Json] = asyncio.get_running_loop().create_future()

    async def read(self) -> None:
        async for text in self.line:
            news = NEWS.decode(text)
            for event in news.result.events if news.result else (news,):
                if event.data is not None:
                    self.take(event.data.view)
            if news.ok is not None:
                told = msgspec.json.decode(text)
                self.answered.set_result(told.get("result") or told["problem"])

    def take(self, view: View | None) -> None:
        if view and (self.view is None or view.seq > self.view.seq):
            self.view = view
            self.moved.set()

    async def command(self, table: str, view: View, action: Json) -> Json:
        """Send a command and return the response, which may be a problem."""
        self.answered = asyncio.get_running_loop().create_future()
        request = {"id": 3, "type": "command", "table": table, "expected_seq": view.seq, "action": action}
        await self.line.send(msgspec.json.encode(request | {"key": str(uuid4())}).decode())
        async with asyncio.timeout(PATIENCE):
            return await self.answered


class Paced(Play):
    """A game with a move every few seconds over sockets, without polling for the turn."""

    pace = PACE

    def __init__(self, people: list[Person], luck: Random, stop: asyncio.Event, line: Line) -> None:
        super().__init__(people, luck, stop)
        self.line, self.due = line, monotonic() + luck.uniform(0, self.pace)

    async def play(self, table: str) -> None:
        moved = asyncio.Event()
        async with AsyncExitStack() as stack:
            seats = [Seat(await stack.enter_async_context(self.line(table, each)), each, moved) for each in self.people]
            for each in seats:
                await stack.enter_async_context(background(each.read()))
            while await self.asked(seats, moved):
                await self.rest()
                if (seat := await self.asked(seats, moved)) and (view := seat.view):        # the view may have changed since
                    self.tables[table].append(Tried(seat.person, await self.move(table, seat, view)))

    async def asked(self, seats: Sequence[Seat], moved: asyncio.Event) -> Seat | None:
        """Wait for a seat that has to move.

        Returns:
            The seat, or None once the game is over or play is stopped.
        """
        while not self.stop.is_set():
            views = [(seat, seat.view) for seat in seats if seat.view]
            if any(view.status == "over" for _, view in views):
                break
            if asked := next((seat for seat, view in views if view.is_asked), None):
                return asked
            moved.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.pace):
                    await moved.wait()
        return None

    async def rest(self) -> None:
        """Wait until the next move is due.

        Moves are due at regular intervals, and at most one late move is made up for.
        """
        await asyncio.sleep(max(0.0, self.due - monotonic()))
        self.due = max(self.due, monotonic() - self.pace) + self.pace

    async def move(self, table: str, seat: Seat, view: View) -> Attempt:
        action, began = random_action(msgspec.json.decode(view.choice), self.luck), monotonic()
        return attempt_of(table, await seat.command(table, view, action), began)


async def greeted(url: str, address: str, hello: Json) -> ClientConnection:
    """Open a connection and say hello, with retries.

    On a busy machine, the hello may be late, and the gateway then closes the connection after five seconds.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(ConnectionClosed, InvalidMessage):
                line = await connect(
                    url, compression=None, ping_interval=None, open_timeout=PATIENCE, local_addr=(address, 0), max_queue=64
                )
                await ask(line, hello)
                return line
