"""Measure memory and connections of each role, and how fast a worker is replaced."""
from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from time import monotonic

import asyncpg
import httpx
import psutil

from benchmarks.rows import Row
from ludarium.bots.leases import LASTS
from ludarium.embedded import Services, embedded
from ludarium.platform.config import ROLES
from ludarium.platform.database import CONNECTIONS
from ludarium.platform.schema_check import migrated
from tests.support.people import Person
from tests.support.servers import ServerProcess

TABLES, SEATS, RULESET = 8, 5, "kemet"
SETTLED = 5.0                                   # seconds until a process has opened all of its connections
PLAY = 2.0                                      # seconds before a kill
KILLS = 5
LATEST = 5.0                                    # seconds
WORKER = "projections,bots,timers"
MEMORY = 128.0                                  # MiB
CONNECTED = "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
HELD = "select array_agg(id) as ids, now() + $1::interval as runs_out from bots.leases"
OWED = "select count(*) from bots.leases where id = any($1) and until <= $2"


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder) / "home") as servers:
            await migrated(servers.database_url)
            for roles in (",".join(ROLES), *ROLES, WORKER):
                yield await has(servers, roles)
            yield await taken_over(servers)


async def has(servers: Services, roles: str) -> Row:
    before = await connected(servers)
    async with ServerProcess(servers.database_url, servers.redis_url, roles=roles) as server:
        await asyncio.sleep(SETTLED)
        memory, held = psutil.Process(server.pid).memory_info().rss / 2**20, await connected(servers) - before
    await asyncio.sleep(1)
    return Row(
        name=f"roles: an idle process, {roles}", value=round(memory), unit="MiB",
        beside=f"{held} connections to PostgreSQL, at most {CONNECTIONS}", ratio=memory / MEMORY, goal=f"<= {MEMORY:.0f} MiB",
        holds=memory <= MEMORY and held <= CONNECTIONS,
    )  # fmt: skip


async def taken_over(servers: Services) -> Row:
    """Kill workers; return the longest time until their leases have new owners."""
    api = {"roles": "api", "rate_limits": "false", "bot_games": str(TABLES * KILLS)}
    urls = servers.database_url, servers.redis_url
    async with ServerProcess(*urls, **api) as server, httpx.AsyncClient(base_url=server.api) as http:
        person = await Person.arrive(http)
        workers = [await ServerProcess(*urls, roles=WORKER).__aenter__() for _ in range(2)]
        took = []
        for _ in range(KILLS):
            await tables_of_bots(person)
            await asyncio.sleep(PLAY)
            await workers.pop(0).kill()
            took.append(await until_taken_over(servers))
            workers.append(await ServerProcess(*urls, roles=WORKER).__aenter__())
        for worker in workers:
            await worker.stop()
    longest = max(took)
    return Row(
        name=f"roles: {TABLES} tables of bots are another worker's after theirs was killed", value=round(longest, 1), unit="s",
        beside=f"the longest of {KILLS} kills", ratio=longest / LATEST, goal=f"<= {LATEST:.0f} s", holds=longest <= LATEST,
    )  # fmt: skip


async def tables_of_bots(person: Person) -> None:
    for _ in range(TABLES):
        table = (await person.post("/tables", {"ruleset": RULESET, "seats": SEATS}))["id"]
        for _ in range(SEATS):
            await person.post(f"/tables/{table}/seats", {"bot": "simple"})
        await person.post(f"/tables/{table}/start", {})


async def until_taken_over(servers: Services) -> float:
    """Return the seconds until the killed worker's leases are taken over or released.

    A killed worker does not renew its leases.
    """
    began = monotonic()
    (dead,) = await ask(servers, HELD, LASTS)
    while (await ask(servers, OWED, dead["ids"] or [], dead["runs_out"]))[0]["count"]:
        await asyncio.sleep(0.02)
    return monotonic() - began


async def connected(servers: Services) -> int:
    return int((await ask(servers, CONNECTED))[0]["count"])


async def ask(servers: Services, statement: str, *args: object) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(servers.database_url)
    try:
        return await connection.fetch(statement, *args)
    finally:
        await connection.close()
