"""Many players who join the matchmaking queue of two servers at once.

Each player must get exactly one table.
"""
from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from time import monotonic
from typing import NamedTuple

import asyncpg
import httpx

from tests.support.people import Json, Person
from tests.support.servers import two_servers
from tests.support.waiting import LIMIT, eventually

SEATS = 2
WANTED = {"ruleset": "game-of-kingdoms", "seats": SEATS, "policies": {"clock": {"type": "live", "bank": 300, "increment": 3}}}
LINES = httpx.Limits(max_connections=50, max_keepalive_connections=50)
ARRIVE = 50
"""Players that sign in at the same time."""


class Sought(NamedTuple):
    """The result of matching.

    `seconds` has the times until the last ticket was issued and until the last player knew the table.
    """

    seekers: int
    tables: int
    seconds: tuple[float, float]


async def sought(database_url: str, redis_url: str, seekers: int) -> Sought:
    """Match this many players.

    Args:
        seekers: A number of players that fills all tables.

    Raises:
        AssertionError: A player has no table, or two of them.
    """
    async with two_servers(database_url, redis_url, rate_limits="false") as servers, AsyncExitStack() as stack:
        ways = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, timeout=LIMIT, limits=LINES))
            for server in servers
        ]
        people = await arrived(ways, seekers)
        began = monotonic()
        tickets = await asyncio.gather(*[person.post("/matches", WANTED) for person in people])
        answered = monotonic() - began
        found = await asyncio.gather(*[matched(person, t) for person, t in zip(people, tickets, strict=True)])
        known = monotonic() - began
        assert Counter(found) == dict.fromkeys(found, SEATS)
        assert await opened(database_url) == len({*found}), "somebody is at a further table"
        return Sought(seekers, len({*found}), (answered, known))


async def opened(database_url: str) -> int:
    """Return the number of tables in the log."""
    connection = await asyncpg.connect(database_url)
    try:
        count: int = await connection.fetchval("select count(*) from es.events where version = 0")
    finally:
        await connection.close()
    return count


async def arrived(ways: list[httpx.AsyncClient], seekers: int) -> list[Person]:
    """Sign in players at the servers in turn."""
    places = asyncio.Semaphore(ARRIVE)

    async def one(nth: int) -> Person:
        async with places:
            return await Person.arrive(ways[nth % len(ways)], f"Seeker {nth}")

    return await asyncio.gather(*map(one, range(seekers)))


async def matched(person: Person, ticket: Json) -> str:
    """Wait until the ticket's game has begun, and return its table."""

    async def found() -> str | None:
        table: str | None = (await person.get(f"/matches/{ticket['id']}"))["table"]
        return table

    table: str = ticket["table"] or await eventually(found)
    view = await person.view(table)
    assert view["status"] == "playing" and person.id in {seat["player"] for seat in view["seats"]}
    return table
