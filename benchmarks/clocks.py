"""Measure how late deadlines fire, and the CPU that a clock adds to a command.

Deadlines are measured with 10,000 running clocks while games are played.
"""
from __future__ import annotations

import asyncio
import gc
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import NamedTuple
from uuid import UUID

import msgspec
import psutil
from msgspec.structs import replace

from benchmarks.commands import MOVES, SMALL, answer, begun, fresh_tables, play
from benchmarks.http import Match, served
from benchmarks.rows import Row
from ludarium.clocks.settings import LiveClock
from ludarium.platform.background import background
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model.events import Deal
from ludarium.tables.model.hash_chain import SEED, commitment, new_secret
from ludarium.tables.model.opening import Dealt
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import ms
from ludarium.tables.schemas import NewTable, PoliciesBody
from ludarium.tables.service import Tables

CLOCKS, FIRING = 10_000, 1_000
SOON = range(40, 60)                            # seconds until the clocks of the measured deadlines run out
AT_ONCE = 32                                    # tables opened at the same time
PLAYED = 16                                     # tables at which games are played during the measurement
RUNS, TABLES = 12, 64
SLICES, SLICE = 200, 40                         # slices over HTTP, and commands per slice
CLOCK = LiveClock(3600, 3)
CLOCKED = replace(SMALL, policies=PoliciesBody(clock=CLOCK))


async def rows() -> AsyncIterator[Row]:
    yield cost_over_http()
    async with fresh_tables() as tables:
        yield await cost_in_the_core(tables)
        yield await firing(tables)


# --- cost of a clock --------------------------------------------------------------------------------------------------
def cost(what: str, pairs: Sequence[tuple[float, float]], size: int, beside: str = "") -> Row:
    """Return the row that compares commands with and without a clock.

    The speed of the machine changes from minute to minute, but hardly from one slice to the next. The two measurements of a
    pair are therefore from adjacent slices.

    Args:
        what: the part of the row's name that says where the commands run.
        pairs: microseconds of CPU per command without and with a clock, each measured over one slice.
        size: the number of commands in a slice.
        beside: a text to add to what the row is compared with.
    """
    (plain, clocked), ratios = map(median, zip(*pairs, strict=True)), [clocked / plain for plain, clocked in pairs]
    low, ratio, high = quantiles(ratios, n=4)
    return Row(
        name=f"clocks: CPU of a command {what} at a table with a clock, PostgreSQL's included", value=round(clocked),
        unit="us", beside=f"without: {plain:.0f} us{beside}; CPU ratio, median of {len(pairs)} pairs of {size} commands each,"
        f" quartiles {low:.3f} and {high:.3f}", ratio=ratio, goal="<= 1.03 x", holds=ratio <= 1.03,
    )  # fmt: skip


def cost_over_http() -> Row:
    """Measure commands over HTTP, in turns at tables without and with a clock.

    The CPU of the server's thread and of PostgreSQL counts.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        plain, clocked = Match(server, Random(0)), Match(server, Random(0), clock=msgspec.to_builtins(CLOCK))
        for match in (plain, clocked):
            slice_over_http(match)              # lets the server open its connections and fill its caches
        pairs = [pair_over_http(nth, plain, clocked) for nth in range(SLICES)]
    return cost("over HTTP", pairs, SLICE)


def pair_over_http(nth: int, plain: Match, clocked: Match) -> tuple[float, float]:
    """Return the CPU of a slice without a clock and of a slice with one.

    The machine is warmer during the second slice, so the order of measurement alternates with `nth`.
    """
    if nth % 2:
        found = slice_over_http(clocked)
        return slice_over_http(plain), found
    return slice_over_http(plain), slice_over_http(clocked)


def slice_over_http(match: Match) -> float:
    databases = postgres_of(match.server.pid)
    return match.play(SLICE, lambda: match.server.cpu() + cpu_of(databases))[0]


class Cost(NamedTuple):
    """Microseconds of CPU per command."""

    own: float
    postgres: float

    @property
    def whole(self) -> float:
        return self.own + self.postgres


async def cost_in_the_core(tables: Tables) -> Row:
    """Measure the same games with and without a clock, one move of each in turns.

    The CPU of this process and of PostgreSQL counts.
    """
    async with background(tables.server_clock.run()):
        pairs = [pair for seed in range(RUNS) for pair in await pairs_in_the_core(tables, seed)]
    databases = [median(each.postgres for each in column) for column in zip(*pairs, strict=True)]
    told = "; PostgreSQL {:.0f} us, with a clock {:.0f} us".format(*databases)
    return cost("in the core", [(plain.whole, clocked.whole) for plain, clocked in pairs], TABLES, told)


async def pairs_in_the_core(tables: Tables, seed: int) -> list[tuple[Cost, Cost]]:
    """Return the costs of the first moves of games that follow from a seed."""
    plain, clocked = [await games(tables, wanted, seed) for wanted in (SMALL, CLOCKED)]
    gc.collect()
    gc.freeze()                                 # keeps the garbage collector from earlier games during the measurement
    found = []
    for nth in range(MOVES):
        if nth % 2:
            later = await moved(tables, clocked)
            found.append((await moved(tables, plain), later))
        else:
            found.append((await moved(tables, plain), await moved(tables, clocked)))
    gc.unfreeze()
    return found


Game = tuple[UUID, Random]
"""A table, and the random numbers that choose its moves."""


async def games(tables: Tables, wanted: NewTable, seed: int) -> list[Game]:
    names = [f"{seed} {nth}" for nth in range(TABLES)]
    return [(await begun(tables, wanted, deal_of(name)), Random(name)) for name in names]


async def moved(tables: Tables, games: Iterable[Game]) -> Cost:
    """Make one move at each table, at the same time, and return the cost per move."""
    found = [(await tables.cache.load(table), luck) for table, luck in games]
    databases = postgres_of(os.getpid())
    own, theirs = process_time(), cpu_of(databases)
    await asyncio.gather(*[answer(tables, table_state, luck.choice) for table_state, luck in found])
    own = process_time() - own
    return Cost(own * 1e6 / len(found), (cpu_of(databases) - theirs) / len(found))


def deal_of(name: str) -> Dealt:
    secret = new_secret(os.urandom(SEED), Random(name).randbytes(SEED))
    return secret, Deal(commitment(secret.deal))


def postgres_of(pid: int) -> list[int]:
    """Return the ids of the long-running PostgreSQL processes below `pid`.

    The workers of autovacuum are left out, since they start and end.
    """
    below = [child for child in psutil.Process(pid).children(recursive=True) if "postgres" in child.name()]
    return [child.pid for child in below if "autovacuum worker" not in " ".join(child.cmdline())]


def cpu_of(pids: Iterable[int]) -> float:
    """Return the microseconds of CPU that the processes have used so far.

    They come from `schedstat`, which counts nanoseconds. Other files of the kernel count hundredths of seconds.
    """
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids) / 1e3


# --- deadlines --------------------------------------------------------------------------------------------------------
async def firing(tables: Tables) -> Row:
    """Measure the milliseconds from a deadline until its event is in the log."""
    await tables.server_clock.learn()
    instants: dict[UUID, int] = {}
    late: list[int] = []

    async def fired(table: TableState) -> None:
        if table.clocks is not None and any(clock.out == ms(table.at) for clock in table.clocks.seats):
            late.append(ms(tables.server_clock.now()) - instants[table.stream])

    await opened(tables, CLOCKS - FIRING, instants, range(3600, 3601))
    tables.listeners.append(fired)
    stop = asyncio.Event()
    async with background(tables.server_clock.run()), background(Deadlines(tables).run()), asyncio.TaskGroup() as group:
        await opened(tables, FIRING, instants, SOON)
        people = [group.create_task(played(tables, Random(n), stop)) for n in range(PLAYED)]
        while len(late) < FIRING:
            await asyncio.sleep(0.5)
        stop.set()
    tables.listeners.remove(fired)
    commands = sum(task.result() for task in people)
    p99 = quantiles(late, n=100)[-1]
    return Row(
        name=f"clocks: a deadline in the log after its instant, p99 of {FIRING:,} beside {CLOCKS:,} clocks", value=round(p99),
        unit="ms", beside=f"p50 {median(late):.0f} ms, last {max(late)} ms; {commands:,} commands meanwhile", goal="<= 250",
        holds=p99 <= 250,
    )  # fmt: skip


async def opened(tables: Tables, wanted: int, instants: dict[UUID, int], banks: range) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(nth: int) -> None:
        async with places:
            table = await begun(tables, replace(SMALL, policies=PoliciesBody(clock=LiveClock(banks[nth % len(banks)]))))
            clocks = (await tables.cache.load(table)).clocks
            first = clocks.next() if clocks else None
            assert first is not None
            instants[table] = first[0]

    await asyncio.gather(*map(one, range(wanted)))


async def played(tables: Tables, luck: Random, stop: asyncio.Event) -> int:
    """Play one game after another at tables with a clock until `stop` is set.

    Returns:
        The number of commands.
    """
    commands = 0
    while not stop.is_set():
        commands += await play(tables, await begun(tables, CLOCKED), luck)
    return commands
