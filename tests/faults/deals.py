"""Kill servers while they end and reveal a deal, and read from them constantly.

A deal gives the same cards to several tables, which stay secret until all of them are over.
"""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import NamedTuple
from uuid import UUID

import httpx

from ludarium.accounts.accounts import Accounts
from ludarium.ops.log_verification import stream_faults
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.platform.schema_check import migrated
from ludarium.tables.deals.events import REVEALED, DealClosed
from ludarium.tables.deals.service import SharedDeals
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import SeedsRevealed, TableEnded
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, audit
from tests.faults.liveness import in_words, plays_again
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.people import Person
from tests.support.servers import ServerProcess
from tests.support.table_games import RULESET, Silent
from tests.support.waiting import LIMIT, eventually, within_limit
from tests.tables.test_deals import Clock, begun, dealt, played, process

SERVERS = 2
MOMENT = 0.02                                   # seconds, at most, between two kills
INSIDE = ("view", "events", "record", "frames", "proof", "stream")
"""Resources that show something of a table to those who may see it."""
LISTS = ("records", "positions", f"rulesets/{RULESET}/statistics")
"""Lists without entries before the deal is over: there are no other games."""
ENDED, TOLD = type_of(TableEnded), type_of(SeedsRevealed)


class Night:
    """A deal whose players at the first table never finish their game.

    `steps` counts the ends and reveals of all tables, and the end of the deal.
    """

    def __init__(self, store: EventStore, deals: SharedDeals, deal: UUID, tables: list[UUID]) -> None:
        self.store, self.deals, self.deal, self.tables = store, deals, deal, tables
        self.steps = 2 * len(tables) + 1

    async def positions(self, type_: int) -> list[int]:
        """Return the positions of a type's events in the deal and its tables.

        The positions are in commit order.
        """
        rows = await self.store.fetch(
            "select position from es.events where type = $1"
            " and (partition, stream_id) in (select es.partition_of(s), s from unnest($2::uuid[]) s) order by position",
            type_, [self.deal, *self.tables],
        )  # fmt: skip
        return [row["position"] for row in rows]

    async def survives(self, servers: Servers, goals: Sequence[int]) -> None:
        """Run servers, and kill all of them whenever the number of steps reaches a goal."""
        for goal in goals:
            await servers.launch()
            await self.reached(goal)
            await servers.kill()
        await servers.launch()
        await self.reached(self.steps)

    async def reached(self, steps: int) -> None:
        async with within_limit():
            while sum([len(await self.positions(type_)) for type_ in (ENDED, TOLD, REVEALED)]) < steps:
                await asyncio.sleep(0.001)

    async def close(self) -> None:
        """Close the deal as the process that owns it, which then dies at once."""
        await self.deals.streams.change(self.deal, lambda deal: DealClosed())

    async def wrongs(self) -> list[str]:
        """Return the faults that the log has at the end."""
        ended, told = await self.positions(ENDED), await self.positions(TOLD)
        faults = [fault for stream in (self.deal, *self.tables) async for fault in stream_faults(
            self.store, stream, await self.store.read(stream))]  # fmt: skip
        found = [str(fault) for fault in [*faults, *await audit(self.store)]]
        if not len(ended) == len(told) == len(self.tables):
            found.append(f"{len(ended)} ends and {len(told)} reveals of {len(self.tables)} tables")
        if ended[-1] > told[0]:
            found.append("a table was told before the last one had ended")
        return found


class Look(NamedTuple):
    """A read of an API path, either by a player or, with None, anonymously."""

    path: str
    player: Person | None


class Lookers:
    """Reads at random servers by spectators and by a player of another table."""

    def __init__(self, night: Night, http: httpx.AsyncClient, servers: Servers, player: Person) -> None:
        self.night, self.http, self.servers, self.luck = night, http, servers, servers.luck
        self.looks = Counter[str]()
        self.early: list[str] = []
        inside = [f"tables/{ids.encode(table)}/{what}" for table in night.tables[1:] for what in INSIDE]
        across = [f"tables/{ids.encode(night.tables[0])}/{what}?as=1" for what in ("view", "events", "record")]
        self.ways = [Look(path, who) for path in (*inside, *LISTS) for who in (None, player)]
        self.ways += [Look(path, player) for path in across]

    async def run(self) -> None:
        while True:
            try:
                await self.look()
            except (httpx.TransportError, IndexError):
                await asyncio.sleep(0.01)

    async def look(self) -> None:
        look = self.luck.choice(self.ways)
        told = await self.is_told(look)
        self.looks["told" if told else "not told"] += 1
        if told and len(await self.night.positions(ENDED)) < len(self.night.tables):
            self.early.append(look.path)

    async def is_told(self, look: Look) -> bool:
        headers = look.player.headers if look.player else {}
        async with self.http.stream("GET", f"{self.servers.any().api}/{look.path}", headers=headers) as answer:
            assert answer.status_code < 500 or answer.status_code == 503, look.path
            if look.path not in LISTS or answer.status_code != 200:
                return answer.status_code == 200
            await answer.aread()
            return any(isinstance(part, list) and part for part in answer.json().values())

    async def are_told(self) -> None:
        """Wait until every read about some table shows the result; lists may lag."""
        table = self.luck.choice(self.night.tables[1:])
        for look in [look for look in self.ways if ids.encode(table) in look.path or look.path in LISTS]:
            await eventually(partial(self.is_told, look))
        assert await self.may_follow()

    async def looked(self, times: int) -> None:
        """Make this many reads at servers that are killed before the deal is closed."""
        if not times:
            return
        await self.servers.launch()
        assert not await self.may_follow()
        await eventually(lambda: self.looks["not told"] >= times)
        await self.servers.kill()

    async def may_follow(self) -> bool:
        """Check whether spectators may follow the last table over a WebSocket."""
        async with client(self.servers.any().ws_port) as socket:
            table = ids.encode(self.night.tables[-1])
            answer = await socket.request("subscribe", table=table, after=-1, **{"as": "spectator"})
        ok: bool = answer["ok"]
        return ok


class Servers:
    """Servers that are all replaced by new ones after each kill."""

    def __init__(self, database_url: str, redis_url: str, luck: Random) -> None:
        self.urls, self.luck = (database_url, redis_url), luck
        self.alive: list[ServerProcess] = []

    async def launch(self) -> None:
        new = [ServerProcess(*self.urls, rate_limits="false") for _ in range(SERVERS)]
        self.alive += await asyncio.gather(*(server.__aenter__() for server in new))

    async def kill(self) -> None:
        """Kill all servers in random order, at random moments."""
        self.luck.shuffle(self.alive)
        while self.alive:
            await self.alive.pop().kill()
            await asyncio.sleep(self.luck.uniform(0, MOMENT))

    def any(self) -> ServerProcess:
        """Return a random running server.

        Raises:
            IndexError: No server is running.
        """
        return self.luck.choice(self.alive)


# --- the whole test -------------------------------------------------------------------------------------------------------
async def besiege(
    database_url: str, redis_url: str, luck: Random, *, boards: int, finished: int, looks: int, kills: int
) -> str:
    """Run a deal while servers are killed, and return a summary.

    Args:
        boards: The number of boards.
        finished: The number of boards that are played to the end.
        looks: The number of reads before the deal is closed.
        kills: The number of kills.
    """
    await migrated(database_url)
    async with (
        await EventStore.open(database_url) as store,
        database(database_url) as base,
        httpx.AsyncClient(timeout=LIMIT) as http,
        serving(database_url, redis_url, luck) as servers,
    ):
        people = [await guest(http, base, name) for name in ("Ada", "Bea")]
        night = await evening(store, people, boards)
        await play(night, finished)
        lookers = Lookers(night, http, servers, people[0])
        async with asyncio.TaskGroup() as group:
            looking = group.create_task(lookers.run())
            await lookers.looked(looks)
            await night.close()
            await night.survives(servers, sorted(luck.sample(range(finished, night.steps), kills)))
            looking.cancel()
        waited = await plays_again(servers.any().api)
        await lookers.are_told()
        wrongs = [*lookers.early, *await night.wrongs()]
        assert not wrongs, wrongs
    return f"{kills} x {SERVERS} processes killed, looks: {dict(lookers.looks)}; {in_words(waited)}"


@asynccontextmanager
async def serving(database_url: str, redis_url: str, luck: Random) -> AsyncIterator[Servers]:
    servers = Servers(database_url, redis_url, luck)
    try:
        yield servers
    finally:
        await servers.kill()


async def guest(http: httpx.AsyncClient, base: Database, name: str) -> Person:
    made = await Accounts(base, ENTROPY).new_guest(name)
    return Person(http, {"player": {"id": made.player.id}, "token": made.token})


async def evening(store: EventStore, people: list[Person], boards: int) -> Night:
    """Open a deal with all players seated and no game started."""
    deals = process(Tables(store, Silent(), ENTROPY), Clock())
    deal, tables = await dealt(deals, boards, at_first=[person.id for person in people])
    return Night(store, deals, deal, tables)


async def play(night: Night, finished: int) -> None:
    """Play the last boards to the end, and only start the other boards."""
    boards = [*enumerate(night.tables, 1)]
    for board, table in boards[:-finished]:
        await begun(night.deals, board, table)
    await asyncio.gather(*(played(night.deals, board, table) for board, table in boards[-finished:]))
