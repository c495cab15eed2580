"""A real game that is played at several servers in turn, and what those who follow it must have heard."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from random import Random
from time import monotonic
from typing import Protocol

import httpx
import msgspec

from ludarium_client.bodies import Event
from tests.api.test_crash import without_view
from tests.support.blind_client import random_action
from tests.support.people import Json, Person, fine, someone_asked
from tests.support.servers import ServerProcess
from tests.support.waiting import LIMIT

STALE = 409


class Game:
    """A table of people who send each command to the next of the servers. Nothing is sent twice."""

    def __init__(self, table: str, people: list[list[Person]], luck: Random) -> None:
        """`people`: the same ones at each server."""
        self.table, self.people, self._turns, self._luck = table, people[0], cycle(people), luck
        self.sent: dict[int, float] = {}
        """When the command of an event was sent, on the monotonic clock."""

    async def move(self) -> int:
        """The number of its event. A sealed answer may be given anew until the bot's comes and opens both: then again."""
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
    """Valley of the Kings: two people and a bot."""
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
    """Who follows a table as `who`, None being a spectator, and what they have heard from its first event on."""

    who: Person | None
    heard: list[Json]


async def check_heard(server: ServerProcess, hearers: Iterable[Hearer], table: str) -> None:
    """Each has heard the log, as they may see it."""
    async with httpx.AsyncClient(base_url=server.api, timeout=LIMIT) as http:
        for one in hearers:
            headers = one.who.headers if one.who else {}
            told = fine(await http.get(f"/tables/{table}/events", params={"limit": 1000}, headers=headers))
            assert typed(one.heard) == typed(told["events"][: len(one.heard)])


def typed(told: list[Json]) -> list[Event]:
    """As the client knows them, who fills in what a server may leave out."""
    return [msgspec.convert(without_view(event), Event) for event in told]
