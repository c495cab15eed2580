"""Players who join the matchmaking queue at the same time share one SQL statement."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, islice

import asyncpg
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import ACCOUNTS, database
from ludarium.tables.matching import Matches, Ticket
from ludarium.tables.model.opening import checked_table
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from tests.support.entropy import ENTROPY
from tests.support.waiting import eventually, let_others_run, within_limit

CLOCK = {"clock": {"type": "live", "bank": 300}}
WANTED = [
    checked_table(msgspec.convert({"ruleset": "game-of-kingdoms", "seats": seats, "policies": CLOCK}, NewTable))
    for seats in (2, 3)
]
SEEKERS = 36


class Crowd:
    """Players who join the queue while the database delays the first of them."""

    def __init__(self, matches: Matches) -> None:
        self.matches, self.kinds = matches, cycle(WANTED)
        self.seekers: list[asyncio.Task[Ticket]] = []

    def come(self, many: int) -> None:
        for wanted in islice(self.kinds, many):
            ticket, player = ids.new_id(ENTROPY), f"player {len(self.seekers)}"
            self.seekers.append(asyncio.create_task(self.matches.seek(ticket, player, wanted)))


@pytest.fixture
async def crowd(database_url: str, tables: Tables) -> AsyncIterator[Crowd]:
    async with database(database_url, ACCOUNTS) as base:
        yield Crowd(Matches(base, tables))


@asynccontextmanager
async def held_up(database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Hold a lock that stops all matchmaking."""
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("select pg_advisory_lock(hashtextextended('entry.seek_all', 0))")
        yield connection
    finally:
        await connection.close()


async def asked(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    """Wait until exactly one statement waits for the lock."""
    waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted and database = " \
        "(select oid from pg_database where datname = current_database())"

    async def one_waits() -> bool:
        return bool(await connection.fetchval(waiting) == 1)

    await eventually(one_waits)


async def test_who_come_together_are_matched_in_one_statement(database_url: str, crowd: Crowd) -> None:
    async with within_limit():
        async with held_up(database_url) as connection:
            crowd.come(1)
            await asked(connection)
            crowd.come(SEEKERS - 1)
            await let_others_run()
            assert await connection.fetchval("select count(*) from entry.tickets") == 0
        tickets = await asyncio.gather(*crowd.seekers)
    # the first was alone in its statement
    assert [ticket.table is None for ticket in tickets] == [True] + [False] * (SEEKERS - 1)
    first = await crowd.matches.look(ids.decode(tickets[0].id), "player 0")
    sizes = Counter(ticket.table for ticket in (first, *tickets[1:]))
    assert Counter(sizes.values()) == {2: SEEKERS // 4, 3: SEEKERS // 6}


async def test_who_gives_up_holds_up_nobody(database_url: str, crowd: Crowd) -> None:
    async with within_limit():
        async with held_up(database_url) as connection:
            crowd.come(1)
            await asked(connection)
            crowd.come(5)
            await let_others_run()
            for seeker in (crowd.seekers[0], crowd.seekers[2]):
                seeker.cancel()
        told = await asyncio.gather(*crowd.seekers, return_exceptions=True)
    assert [type(one) for one in (told[0], told[2])] == [asyncio.CancelledError] * 2
    tables = {ticket.table for ticket in told[1::2] if isinstance(ticket, Ticket)}      # the players who want three seats
    assert len(tables) == 1 and tables != {None}
