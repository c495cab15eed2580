"""Measure the largest table of each title, watched by every audience.

The watchers are in two processes, one of which accepts the moves.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

from benchmarks.rows import Row
from ludarium.tables.schemas import NewTable
from ludarium_engine.registry import titles
from tests.live.full import Game, Process, largest, process

RUNS = 3
MOVES = 60
SMALL = NewTable("game-of-kingdoms", 2)


class Run(NamedTuple):
    """The cost of a move.

    Attributes:
        reads: reads of the log in both processes.
        cpu: microseconds of CPU of both processes.
        bytes: bytes to all readers of the process that sends views.
        changes: bytes to all readers of the process that sends changes.
    """

    reads: float
    cpu: float
    bytes: float
    changes: float


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
            ratio=run.cpu / small.cpu, goal="<= 2.5 x", holds=run.cpu <= 2.5 * small.cpu,
        ),
        Row(
            name=f"live: bytes of a move, {where}", value=round(run.bytes), unit="bytes",
            beside=f"{few}: {small.bytes:,.0f} bytes", ratio=run.bytes / small.bytes,
        ),
        Row(
            name=f"live: bytes of a move by changes, {where}", value=round(run.changes), unit="bytes",
            beside=f"by views: {run.bytes:,.0f} bytes", ratio=run.changes / run.bytes, goal="<= 0.15 x",
            holds=run.changes <= 0.15 * run.bytes,
        ),
    ]  # fmt: skip


async def measured(here: Process, there: Process, wanted: NewTable) -> Run:
    runs = [await played(here, there, wanted, Random(n)) for n in range(RUNS)]
    _, cpu, views, changes = (median(values) for values in zip(*runs, strict=True))
    return Run(max(run.reads for run in runs), cpu, views, changes)


async def played(here: Process, there: Process, wanted: NewTable, luck: Random) -> Run:
    """Play up to MOVES moves, each after all readers have received the last one."""
    game = await Game.begun(here, wanted, luck)
    await game.watch(here)
    await game.watch(there, changes=True)
    await game.move()  # the reply of Valkey shows that another process listens
    reads, told = here.store.reads + there.store.reads, told_to(game)
    moves, start = 0, process_time()
    while moves < MOVES and not await game.over():
        await game.move()
        moves += 1
    cpu = (process_time() - start) * 1e6
    game.unwatched()
    views, changes = [(now - then) / moves for now, then in zip(told_to(game), told, strict=True)]
    return Run((here.store.reads + there.store.reads - reads) / moves, cpu / moves, views, changes)


def told_to(game: Game) -> tuple[int, int]:
    """Return the bytes sent so far to readers of views and to readers of changes."""
    first = len(game.ears) // 2
    return sum(ear.told for ear in game.ears[:first]), sum(ear.told for ear in game.ears[first:])
