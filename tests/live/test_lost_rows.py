"""A fail-over resets the clients of tables that lost events, and no other clients."""
from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import httpx

from ludarium.embedded.postgres import make_database
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from tests.api.test_live import CONFIG, port_of
from tests.faults.standby import Node
from tests.live.conftest import Looked
from tests.proving import home
from tests.support.entropy import ENTROPY
from tests.support.live_client import Client, client
from tests.support.lost_rows import lose
from tests.support.people import Person, open_game, play_on
from tests.support.store_proxy import SOCKET, Proxy, proxy
from tests.support.waiting import LIMIT

LATER = 3
"""Moves at each table after the fail-over."""


class Stage:
    """A server with tables that a spectator and the player of seat 0 follow."""

    def __init__(self, http: httpx.AsyncClient, port: int, stack: AsyncExitStack) -> None:
        self.http, self.port, self.stack = http, port, stack
        self.people: list[Person] = []
        self.watchers: dict[str, list[tuple[Client, str]]] = {}

    async def open(self, tables: int, moves: int = 4) -> list[str]:
        self.people = [await Person.arrive(self.http) for _ in range(2)]
        for _ in range(tables):
            table = await open_game(self.people)
            await self.play(table, moves)
            self.watchers[table] = [await self.watcher(table, token) for token in (None, self.people[0].token)]
        for table in self.watchers:
            await self.heard(table)
        return [*self.watchers]

    async def watcher(self, table: str, token: str | None) -> tuple[Client, str]:
        one = await self.stack.enter_async_context(client(self.port, token))
        return one, await one.subscribe(table)

    async def play(self, table: str, moves: int = 1) -> None:
        await play_on(self.people, table, moves, random.Random(table))

    async def heard(self, table: str) -> None:
        """Wait until a table's clients have its newest event; they fail if one is missing."""
        last = (await self.http.get(f"/tables/{table}")).json()["seq"]
        for one, sub in self.watchers[table]:
            await one.until(sub, last)

    async def reset(self, table: str) -> list[int]:
        """Wait until each client of a table is reset, and return the event numbers."""
        return [(await one.until_reset(sub))["seq"] for one, sub in self.watchers[table]]

    def resets(self, table: str) -> int:
        return sum(event["type"] == "reset" for one, sub in self.watchers[table] for event in one.events[sub])

    async def go_on(self) -> None:
        for table in self.watchers:
            await self.play(table, LATER)
            await self.heard(table)


@asynccontextmanager
async def stage(database_url: str, redis_url: str) -> AsyncIterator[Stage]:
    async with (
        running(CONFIG, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
        AsyncExitStack() as stack,
    ):
        yield Stage(http, port_of(address), stack)


class Replicated:
    """A primary and its standby behind one address."""

    def __init__(self, front: Proxy, primary: Node, standby: Node) -> None:
        self.front, self.primary, self.standby = front, primary, standby

    async def lag(self) -> None:
        """Stop the replication as soon as the standby has all data."""
        await self.primary.caught_up(self.standby)
        await self.standby.lag()

    async def fail_over(self) -> None:
        self.front.accepts = False
        self.front.hang_up()
        await self.primary.kill()
        await self.standby.promote()
        self.front.server = self.standby.sockets / SOCKET
        self.front.accepts = True


@asynccontextmanager
async def replicated() -> AsyncIterator[Replicated]:
    with home() as folder:
        folder.mkdir(mode=0o711)
        async with AsyncExitStack() as stack:
            primary = await started(Node(folder / "primary"), stack)
            await make_database(primary.sockets)
            await migrated(primary.dsn)
            standby = await started(await primary.standby(folder / "standby"), stack)
            front = await stack.enter_async_context(proxy(folder / "front", primary.dsn))
            yield Replicated(front, primary, standby)


async def started(node: Node, stack: AsyncExitStack) -> Node:
    await node.start()
    stack.push_async_callback(node.kill)
    return node


async def test_only_watchers_of_a_table_that_lost_events_are_reset(
    looked: Looked, database_url: str, redis_url: str
) -> None:
    async with stage(database_url, redis_url) as house:
        first, lost, last = await house.open(3)
        await house.play(lost, 2)
        await house.heard(lost)
        await looked()
        await lose(database_url, 1)
        await house.reset(lost)
        await looked()
        await house.go_on()
        assert [house.resets(table) for table in (first, lost, last)] == [0, 2, 0]


async def test_a_promoted_standby_resets_only_the_table_of_which_it_lost_the_end(looked: Looked, redis_url: str) -> None:
    async with replicated() as pair, stage(pair.front.dsn, redis_url) as house:
        kept, lost = await house.open(2)
        await pair.lag()
        await house.play(lost)
        await house.heard(lost)
        await looked()
        await pair.fail_over()
        await house.reset(lost)
        await looked()
        await house.go_on()
        assert [house.resets(table) for table in (kept, lost)] == [0, 2]


async def test_a_promoted_standby_that_lost_nothing_resets_no_watcher(looked: Looked, redis_url: str) -> None:
    async with replicated() as pair, stage(pair.front.dsn, redis_url) as house:
        tables = await house.open(2)
        await pair.primary.caught_up(pair.standby)
        await looked()
        await pair.fail_over()
        await looked()
        await house.go_on()
        assert [house.resets(table) for table in tables] == [0, 0]
