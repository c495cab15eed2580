"""The largest table of each title with every audience watched, where its moves are made and in another process."""
from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.rows import Row
from engine import titles
from services.tables.bodies import NewTable
from tests.live.full import Game, Process, largest, process

RUNS = 3
MOVES = 60
SMALL = NewTable("game-of-kingdoms", 2)


class Run(NamedTuple):
    """Of a move: rows' reads in both processes, and the CPU microseconds of both; bytes to all readers of one process."""

    reads: float
    cpu: float
    bytes: float


async def rows(database_url: str, redis_url: str) -> AsyncIterator[Row]:
    async with process(database_url, redis_url) as here, process(database_url, redis_url) as there:
        small = await measured(here, there, SMALL)
        for wanted in [SMALL, *map(largest, titles())]:
            run = small if wanted is SMALL else await measured(here, there, wanted)
            for row in rows_of(f"{wanted.ruleset}, {wanted.seats} seats and a spectator watched twice", run, small):
                yield row


def rows_of(where: str, run: Run, small: Run) -> list[Row]:
    few = "Kingdoms with 2 seats"
    return [
        Row(name=f"live: log reads a move, {where}", value=run.reads, unit="reads", goal="0", holds=run.reads == 0),
        Row(
            name=f"live: CPU of a move, {where}", value=round(run.cpu), unit="us", beside=f"{few}: {small.cpu:.0f} us",
            ratio=run.cpu / small.cpu,
        ),
        Row(
            name=f"live: bytes of a move, {where}", value=round(run.bytes), unit="bytes",
            beside=f"{few}: {small.bytes:,.0f} bytes", ratio=run.bytes / small.bytes,
        ),
    ]  # fmt: skip


async def measured(here: Process, there: Process, wanted: NewTable) -> Run:
    runs = [await played(here, there, wanted, Random(n)) for n in range(RUNS)]
    return Run(max(run.reads for run in runs), median(run.cpu for run in runs), median(run.bytes for run in runs))


async def played(here: Process, there: Process, wanted: NewTable, luck: Random) -> Run:
    """As many moves as the game has, and MOVES at most, each when everybody was told of the one before."""
    game = await Game.begun(here, wanted, luck)
    for one in (here, there):
        await game.watch(one)
    await game.move()  # from its answer Redis tells that somebody listens elsewhere
    reads, told = here.store.reads + there.store.reads, sum(ear.told for ear in game.ears)
    moves, start = 0, process_time()
    while moves < MOVES and not await game.over():
        await game.move()
        moves += 1
    cpu = (process_time() - start) * 1e6
    game.unwatched()
    grown = sum(ear.told for ear in game.ears) - told
    return Run((here.store.reads + there.store.reads - reads) / moves, cpu / moves, grown / moves / 2)
