"""Measure the CPU of a command with two workers on one port.

It is compared with one process. Only the server's processes count, not clients or PostgreSQL.
"""
from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median

import httpx
import psutil

from benchmarks.rows import Row
from ludarium.embedded import Services, embedded
from ludarium.platform.schema_check import migrated
from tests.support.people import Person, fine, play_on
from tests.support.servers import ServerProcess

RUNS = 5
TABLES, MOVES = 12, 30
"""The tables that each process serves at once, and the commands at each table."""
LOADS = (1, TABLES), (2, 2 * TABLES), (2, TABLES)
"""(workers, tables). To see the cost of a second worker, each of the two must be as busy as a single one was.

See docs/operations/figures.md."""
GOAL = 1.15


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder) / "home") as servers:
            await migrated(servers.database_url)
            runs = [[await cpu_of_a_command(servers, *load, seed) for load in LOADS] for seed in range(RUNS)]
    one, two, spread = (median(values) for values in zip(*runs, strict=True))
    ratio, thinner = (median(run[nth] / run[0] for run in runs) for nth in (1, 2))
    beside = f"one process: {one:.0f} us"
    yield Row(
        name="workers: CPU of a command and the views around it, two workers at twice the tables", value=round(two),
        unit="us", beside=beside, ratio=ratio, goal=f"<= {GOAL} x", holds=ratio <= GOAL,
    )  # fmt: skip
    yield Row(
        name="workers: the same, two workers at as many tables", value=round(spread), unit="us", beside=beside, ratio=thinner
    )


async def cpu_of_a_command(servers: Services, workers: int, tables: int, seed: int) -> float:
    """Return the microseconds of CPU of all processes per command.

    Each player has a connection of their own, which either worker may have accepted.
    """
    served = ServerProcess(servers.database_url, servers.redis_url, workers=str(workers), rate_limits="false")
    async with served as server, AsyncExitStack() as stack:
        played = [await table(server, stack) for _ in range(tables)]
        before, luck = cpu(server), random.Random(seed)
        moves = sum(await asyncio.gather(*(play_on(people, name, MOVES, luck) for people, name in played)))
        return (cpu(server) - before) * 1e6 / moves


async def table(server: ServerProcess, stack: AsyncExitStack) -> tuple[list[Person], str]:
    ways = [await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, timeout=60)) for _ in range(2)]
    people = [Person(way, fine(await way.post("/guests", json={}))) for way in ways]
    name: str = (await people[0].post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    for person in people:
        await person.post(f"/tables/{name}/seats")
    await people[0].post(f"/tables/{name}/start")
    return people, name


def cpu(server: ServerProcess) -> float:
    """Return the CPU seconds so far of the process and its children."""
    parent = psutil.Process(server.pid)
    times = [process.cpu_times() for process in [parent, *parent.children(recursive=True)]]
    return sum(each.user + each.system for each in times)
