"""The part of `make prove` that keeps a service under load for half an hour."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from statistics import median
from typing import TypeVar

import typer

from tests.faults.soak import COMPARED, SHARED, House, Size, cost, soaked
from tests.proving import Options, home, servers_at

T = TypeVar("T")
SECONDS, IN_TURN = 20.0, 5
"""Seconds of a measurement of costs, and the number of measurements.

Setups take turns, so that other load on the machine affects all of them; medians are reported.
"""
HOUSES = House(1, COMPARED), House(2, 2 * COMPARED), House(2, COMPARED), House(2, 2 * COMPARED, apart=True)
"""The setups; the bound applies to the second, whose processes have equal load.

With the same tables on two processes, each process wakes up for fewer of them at a time, like a process with half of the
tables. That is reported too, as is the case of connections apart.
"""


def soak(options: Options) -> None:
    size, tell = Size.of(options.minutes), partial(print, flush=True)
    found = at_servers(lambda database, valkey: soaked(database, valkey, size, Random(options.seed), tell))
    tell(str(found))
    one, two, spread, apart = compared(options, tell)
    tell(f"CPU a command: {one:.2f} ms with one process, {two:.2f} ms with two that have twice the tables: {two / one:.2f} x, "
         f"bound {SHARED} x; two that share the tables of one {spread / one:.2f} x; where each of a table comes to another "
         f"process {apart / one:.2f} x")  # fmt: skip
    if not found.holds or two > SHARED * one:
        tell(*found.wrong[:10])
        raise typer.Exit(1)


def compared(options: Options, tell: Callable[[str], None]) -> tuple[float, ...]:
    """Return the CPU time per command of each setup, in milliseconds."""
    looks: list[list[float]] = []
    for _ in range(IN_TURN):
        looks.append([at_servers(costing(options, house)) for house in HOUSES])
        tell("CPU a command, ms:", *(f"{took:.2f}" for took in looks[-1]))
    return tuple(median(of_house) for of_house in zip(*looks, strict=True))


def costing(options: Options, house: House) -> Callable[[str, str], Awaitable[float]]:
    return lambda database, valkey: cost(database, valkey, house, SECONDS, Random(options.seed))


def at_servers(work: Callable[[str, str], Awaitable[T]]) -> T:
    """Run work at separate servers, so that runs do not affect each other."""

    async def run() -> T:
        async with servers_at(folder) as (database_url, carrier):
            return await work(database_url, carrier.url)

    with home() as folder:
        return asyncio.run(run())
