"""The part of `make prove` that takes half an hour: a house under a steady crowd."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from statistics import median
from typing import TypeVar

import typer

from tests.faults.soak import SHARED, Size, cost, soaked
from tests.proving import Options, home, servers_at

T = TypeVar("T")
SECONDS, IN_TURN = 20.0, 5
"""Each look at what a command costs, and how often each of the houses is looked at: in turn, so that whatever else the machine
does meets all of them, and their medians are told."""
HOUSES = (1, False), (2, False), (2, True)
"""How many processes, and whether each of a table comes to another one."""


def soak(options: Options) -> None:
    size, tell = Size.of(options.minutes), partial(print, flush=True)
    found = at_servers(lambda database, valkey: soaked(database, valkey, size, Random(options.seed), tell))
    tell(str(found))
    one, two, apart = compared(options, tell)
    tell(f"CPU a command: {one:.2f} ms with one process, {two:.2f} ms with two: {two / one:.2f} x, bound {SHARED} x; "
         f"where each of a table comes to another process, {apart:.2f} ms: {apart / one:.2f} x")
    if not found.holds or two > SHARED * one:
        tell(*found.wrong[:10])
        raise typer.Exit(1)


def compared(options: Options, tell: Callable[[str], None]) -> tuple[float, ...]:
    """Of each house, milliseconds of CPU a command."""
    looks: list[list[float]] = []
    for _ in range(IN_TURN):
        looks.append([at_servers(costing(options, *house)) for house in HOUSES])
        tell("CPU a command, ms:", *(f"{took:.2f}" for took in looks[-1]))
    return tuple(median(of_house) for of_house in zip(*looks, strict=True))


def costing(options: Options, processes: int, apart: bool) -> Callable[[str, str], Awaitable[float]]:
    return lambda database, valkey: cost(database, valkey, processes, SECONDS, Random(options.seed), apart=apart)


def at_servers(work: Callable[[str, str], Awaitable[T]]) -> T:
    """Of its own each: what one leaves behind is no burden to the next."""

    async def run() -> T:
        async with servers_at(folder) as (database_url, carrier):
            return await work(database_url, carrier.url)

    with home() as folder:
        return asyncio.run(run())
