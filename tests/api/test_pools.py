"""Database pools: no use blocks another, and connections stay within the limit."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import asyncpg
import httpx
import pytest

from ludarium.platform.config import Config
from ludarium.platform.database import CONNECTIONS, LISTS, Share, database
from ludarium.platform.problems import Problem
from ludarium.server import running
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY
from tests.support.people import Person, open_game, someone_asked
from tests.support.waiting import LIMIT, eventually, let_others_run

CONFIG = Config(port=0, ws_port=0, rate_limits=False)
PATIENT = Share("lists", connections=2, waiting=100, patience=LIMIT)
HASTY = Share("lists", connections=2, waiting=2, patience=0.2)
OPERATORS = Path(__file__).parents[2] / "docs/operators.md"


@asynccontextmanager
async def serving(database_url: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        running(CONFIG, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        yield http


@asynccontextmanager
async def locked(database_url: str, table: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Lock a table, like a migration, or a rebuild that waits for a slow reader."""
    owner = await asyncpg.connect(database_url)
    try:
        async with owner.transaction():
            await owner.execute(f"lock table {table} in access exclusive mode")
            yield owner
    finally:
        await owner.close()


async def until_they_hang(owner: asyncpg.Connection[asyncpg.Record], lists: int) -> None:
    stuck = ("select count(*) from pg_locks where relation = 'lobby.tables'::regclass"
             " and mode = 'AccessShareLock' and not granted")

    async def all_hang() -> bool:
        return bool(await owner.fetchval(stuck) >= lists)

    await eventually(all_hang)


async def test_lists_that_hang_hold_up_nobody_else(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.backend.LISTS", PATIENT)
    async with serving(database_url, redis_url) as http:
        guests = [(await http.post("/guests", json={})).json() for _ in range(2)]
        people = [Person(http, guest) for guest in guests]
        table = await open_game(people)
        person, view = await someone_asked(people, table)
        code = next(guest["rejoin_code"] for guest in guests if guest["player"]["id"] == person.id)
        uncached = Person(http, (await http.post("/guests/rejoin", json={"rejoin_code": code})).json())
        async with locked(database_url, "lobby.tables") as owner:
            lists = [asyncio.create_task(http.get("/tables")) for _ in range(24)]
            await until_they_hang(owner, PATIENT.connections)
            newcomer = await http.post("/guests", json={})
            command = await uncached.command(table, view, random_action(view["choice"], Random(1)))
            ready = await http.get(str(http.base_url).removesuffix("/api/v1/") + "/readyz")
            assert [answer.status_code for answer in (newcomer, command, ready)] == [201, 200, 200]
            assert not any(task.done() for task in lists)
        assert {(await task).status_code for task in lists} == {200}


async def test_a_list_that_takes_too_long_is_unavailable(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.backend.LISTS", HASTY)
    async with serving(database_url, redis_url) as http:
        async with locked(database_url, "lobby.tables"):
            answers = await asyncio.gather(*(http.get("/tables") for _ in range(8)))
        told = {(a.status_code, a.json()["code"], a.headers["retry-after"]) for a in answers}
        assert told == {(503, "unavailable", "1")}
        await eventually(lambda: listed(http))


async def listed(http: httpx.AsyncClient) -> bool:
    return (await http.get("/tables")).status_code == 200


async def test_beyond_those_who_may_wait_callers_are_sent_away_at_once(database_url: str) -> None:
    async with database(database_url, PATIENT._replace(waiting=3)) as base, locked(database_url, "lobby.tables"):
        waiting = [asyncio.create_task(base.rows("select from lobby.tables")) for _ in range(5)]
        await let_others_run()
        with pytest.raises(Problem, match="unavailable"):
            await base.rows("select 1")
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_process_takes_no_more_connections_than_operators_are_told(database_url: str, redis_url: str) -> None:
    async with serving(database_url, redis_url) as http:
        people = [await Person.arrive(http, f"P{n}") for n in range(2)]
        watcher = await asyncpg.connect(database_url)
        most = 0

        async def load() -> None:
            table = await open_game(people, bots=("simple", "simple"))
            paths = ["/tables", "/positions", "/records", f"/tables/{table}/view", f"/tables/{table}/events", "/me/tables"]
            asked = [person.ask("GET", path) for person in people for path in paths * 4]
            asked.append(http.get(str(http.base_url).removesuffix("/api/v1/") + "/readyz"))
            await asyncio.gather(*asked, *(http.post("/guests", json={}) for _ in range(8)))

        async def all_pools_are_in_use() -> bool:
            nonlocal most
            loads = asyncio.gather(*(load() for _ in range(2)))
            while not loads.done():
                most = max(most, await watcher.fetchval(
                    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
                ))
            await loads
            return most >= LISTS.connections + 4

        await eventually(all_pools_are_in_use)
        await watcher.close()
    assert most <= CONNECTIONS


def test_operators_are_told_the_number() -> None:
    told = re.search(r"A process holds at most (\d+) connections", OPERATORS.read_text())
    assert told and int(told[1]) == CONNECTIONS
