"""A real game whose commands go to several servers in turn."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from random import Random
from time import monotonic
from typing import Protocol

import httpx
import msgspec

from ludarium_client.bodies import TableEvent
from tests.api.test_crash import without_view
from tests.support.blind_client import random_action
from tests.support.people import Json, Person, fine, someone_asked
from tests.support.servers import ServerProcess
from tests.support.waiting import LIMIT

STALE = 409


class Game:
    """A table of people who send each command once, each to the next server."""

    def __init__(self, table: str, people: list[list[Person]], luck: Random) -> None:
        """Create a game.

        Args:
            people: For each server, the same people as clients of that server.
        """
        self.table, self.people, self._turns, self._luck = table, people[0], cycle(people), luck
        self.sent: dict[int, float] = {}
        """The time at which the command of an event was sent, on the monotonic clock."""

    async def move(self) -> int:
        """Make a move and return the number of its event.

        A sealed answer may be replaced until the bot's answer reveals both. If that happened, another move is made.
        """
        while True:
            person, view = await someone_asked(next(self._turns), self.table)
            sent = monotonic()
            answer = await person.command(self.table, view, random_action(view["choice"], self._luck))
            if answer.status_code == STALE:
                continue
            assert answer.status_code == 200, answer.text
            seq: int = answer.json()["seq"]
            self.sent[seq] = sent
            return seq


@asynccontextmanager
async def game_at(servers: list[ServerProcess], luck: Random) -> AsyncIterator[Game]:
    """Start a game of Valley of the Kings with two people and a bot."""
    async with AsyncExitStack() as stack:
        ways = [await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, timeout=LIMIT)) for server in servers]
        guests = [await guest(ways[0]) for _ in range(2)]
        people = [[Person(way, guest) for guest in guests] for way in ways]
        host = people[0][0]
        table = (await host.post("/tables", {"ruleset": "valley-of-the-kings", "seats": 3}))["id"]
        for person in people[0]:
            await person.post(f"/tables/{table}/seats")
        await host.post(f"/tables/{table}/seats", {"bot": "random"})
        await host.post(f"/tables/{table}/start")
        yield Game(table, people, luck)


async def guest(http: httpx.AsyncClient) -> Json:
    return fine(await http.post("/guests", json={}))


class Hearer(Protocol):
    """A client of a table.

    `who` is None for a spectator, and `heard` has all received events.
    """

    who: Person | None
    heard: list[Json]


async def check_heard(server: ServerProcess, hearers: Iterable[Hearer], table: str) -> None:
    """Check that each client received the part of the log that it may see."""
    async with httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http:
        for one in hearers:
            headers = one.who.headers if one.who else {}
            told = fine(await http.get(f"/tables/{table}/events", params={"limit": 1000}, headers=headers))
            assert typed(one.heard) == typed(told["events"][: len(one.heard)])


def typed(told: list[Json]) -> list[TableEvent]:
    """Decode events with the Python client's types, which fill in omitted defaults."""
    return [msgspec.convert(without_view(event), TableEvent) for event in told]
