"""The parts of `make prove` about a running service, such as restarts and alerts."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from random import Random

import typer

from tests.faults.alarms import FAULTS, alarmed
from tests.faults.prometheus import NONE, PROMETHEUS
from tests.faults.rolling import Rolled, rolled
from tests.faults.takeovers import Takeover
from tests.faults.takeovers import takeovers as dying
from tests.proving import Options, home, servers_at

SOCKETS = 4
"""Spectators of each table."""
MOST_TABLES = 32
"""More tables would be too much load for two cores."""
ROUNDS = 10
"""Divisor of the rounds; in each, every process is restarted once."""
QUICKER, PLAYED = 10, 4
"""The factor by which alerts are quicker, and the tables under load."""


def rolling(options: Options) -> None:
    with home() as folder:
        found = asyncio.run(rolled_at(folder, options))
    print(found, *found.failed[:10], sep="\n")
    if not found.holds:
        raise typer.Exit(1)


async def rolled_at(folder: Path, options: Options) -> Rolled:
    tables = min(options.tables, MOST_TABLES)
    async with servers_at(folder) as (database_url, carrier):
        return await rolled(
            database_url, carrier.url, tables, SOCKETS * tables, max(1, options.rounds // ROUNDS), Random(options.seed),
            partial(print, flush=True),
        )  # fmt: skip


def takeovers(options: Options) -> None:
    with home() as folder:
        asyncio.run(taken_over(folder, options))


async def taken_over(folder: Path, options: Options) -> None:
    async with servers_at(folder) as (database_url, carrier):
        deaths = dying(database_url, carrier.url, options.rounds // ROUNDS + 1, Random(options.seed))
        found = [each async for each in told(deaths)]
    if not all(each.holds for each in found):
        raise typer.Exit(1)


async def told(found: AsyncIterator[Takeover]) -> AsyncIterator[Takeover]:
    async for each in found:
        print(each, flush=True)
        yield each


def named_faults(options: Options) -> None:
    if PROMETHEUS is None:
        print(NONE)
        raise typer.Exit(2)
    with home() as folder:
        asyncio.run(named_at(folder, options))


async def named_at(folder: Path, options: Options) -> None:
    async with servers_at(folder) as (database_url, carrier):
        async for found in alarmed(folder.parent, database_url, carrier, FAULTS, PLAYED, QUICKER, Random(options.seed)):
            print(found, flush=True)
    print("all that was acknowledged stands in the log")
