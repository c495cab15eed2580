"""The parts of `make prove` about live updates."""
from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random

import typer

from benchmarks.live.fanout import GROWTH, OTHERS, Stall, beside_a_stalled_one
from tests.live.outage import CAUGHT_UP, HANGING, KILLED, RESUMES, Fault, Outage, outage
from tests.live.pairs import many_pairs
from tests.live.resumes import NoCurl, resumed
from tests.proving import Options, home, servers_at

AWAY = 10.0
"""Seconds without Valkey."""


def live_redis(options: Options) -> None:
    for fault in (KILLED, HANGING):
        with home() as folder:
            print(asyncio.run(long_outage(folder, options.seed, fault)))


async def long_outage(folder: Path, seed: int, fault: Fault) -> Outage:
    async with servers_at(folder) as (database_url, carrier):
        went = await outage(database_url, carrier, seconds=AWAY, moves=0, seed=seed, fault=fault)
    assert went.latest <= CAUGHT_UP and went.resumed <= RESUMES, went
    return went


def live_resume(options: Options) -> None:
    with home() as folder:
        try:
            asyncio.run(long_absences(folder, options.seed))
        except NoCurl as problem:
            print(problem)
            raise typer.Exit(2) from None


async def long_absences(folder: Path, seed: int) -> None:
    async with servers_at(folder) as (database_url, carrier):
        async for line in resumed(database_url, carrier.url, seed):
            print(line, flush=True)


def live_worlds(options: Options) -> None:
    with home() as folder:
        played = asyncio.run(worlds_on_the_wire(folder, options))
    print(", ".join(f"{count} x {name}" for name, count in sorted(played.items())), "- nobody was sent another byte")


async def worlds_on_the_wire(folder: Path, options: Options) -> Counter[str]:
    async with servers_at(folder) as (database_url, carrier):
        return await many_pairs(database_url, carrier.url, options.rounds, Random(options.seed))


def live_stalled(options: Options) -> None:
    with home() as folder:
        stall = asyncio.run(one_stalled(folder))
    print(f"{OTHERS} clients beside a stalled one got everything, and {stall.lost} bytes more; grown by {stall.grown:,.0f} KiB")
    if stall.lost or stall.grown > GROWTH:
        raise typer.Exit(1)


async def one_stalled(folder: Path) -> Stall:
    async with servers_at(folder) as (_, carrier):
        return await beside_a_stalled_one(carrier.url, "stalled")
