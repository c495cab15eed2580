"""The part of `make prove` that takes half an hour: a house under a steady crowd."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import TypeVar

import typer

from tests.faults.soak import SHARED, Size, cost, soaked
from tests.proving import Options, home, servers_at

T = TypeVar("T")
PART = 10
"""Of the soak, for each of the looks at what a command costs."""


def soak(options: Options) -> None:
    size, tell = Size.of(options.minutes), partial(print, flush=True)
    found = at_servers(lambda database, valkey: soaked(database, valkey, size, Random(options.seed), tell))
    tell(str(found))
    one, two, apart = (at_servers(compared(options, *how)) for how in ((1, False), (2, False), (2, True)))
    tell(f"CPU a command: {one:.2f} ms with one process, {two:.2f} ms with two: {two / one:.2f} x, bound {SHARED} x; "
         f"where each of a table comes to another process, {apart:.2f} ms: {apart / one:.2f} x")
    if not found.holds or two > SHARED * one:
        tell(*found.wrong[:10])
        raise typer.Exit(1)


def compared(options: Options, processes: int, apart: bool) -> Callable[[str, str], Awaitable[float]]:
    seconds = max(20.0, 60 * options.minutes / PART)
    return lambda database, valkey: cost(database, valkey, processes, seconds, Random(options.seed), apart=apart)


def at_servers(work: Callable[[str, str], Awaitable[T]]) -> T:
    """Of its own each: what one leaves behind is no burden to the next."""

    async def run() -> T:
        async with servers_at(folder) as (database_url, carrier):
            return await work(database_url, carrier.url)

    with home() as folder:
        return asyncio.run(run())
