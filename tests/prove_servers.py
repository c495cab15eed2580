"""The parts of `make prove` about processes beside each other: a rolling restart."""
from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from random import Random

import typer

from tests.faults.rolling import Rolled, rolled
from tests.proving import Options, home, servers_at

SOCKETS = 4
"""Watchers of each table."""
MOST_TABLES = 32
"""More than that is a load of its own on two cores."""
ROUNDS = 10
"""Of what was asked for, one restart of every process."""


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
