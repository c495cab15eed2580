"""Deadlines beside 10,000 running clocks and people who play; and what a clock costs a command."""
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
SOON = range(40, 60)                            # seconds until those that fire do
AT_ONCE = 32                                    # tables that are opened
PLAYED = 16                                     # tables beside
RUNS, TABLES = 12, 64
SLICES, SLICE = 200, 40                         # over HTTP, and how many commands each has
CLOCK = LiveClock(3600, 3)
CLOCKED = replace(SMALL, policies=PoliciesBody(clock=CLOCK))


async def rows() -> AsyncIterator[Row]:
    yield cost_over_http()
    async with fresh_tables() as tables:
        yield await cost_in_the_core(tables)
        yield await firing(tables)


# --- what a clock costs -----------------------------------------------------------------------------------------------
def cost(what: str, pairs: Sequence[tuple[float, float]], size: int, beside: str = "") -> Row:
    """pairs: microseconds of a command without a clock, and with one, each in a slice of so many commands.

    The machine changes from minute to minute, hardly from one slice to the next one.
    """
    (plain, clocked), ratios = map(median, zip(*pairs, strict=True)), [clocked / plain for plain, clocked in pairs]
    low, ratio, high = quantiles(ratios, n=4)
    return Row(
        name=f"clocks: CPU of a command {what} at a table with a clock, PostgreSQL's included", value=round(clocked),
        unit="us", beside=f"without: {plain:.0f} us{beside}; CPU ratio, median of {len(pairs)} pairs of {size} commands each,"
        f" quartiles {low:.3f} and {high:.3f}", ratio=ratio, goal="<= 1.03 x", holds=ratio <= 1.03,
    )  # fmt: skip


def cost_over_http() -> Row:
    """As players give commands: at tables with and without, in turns; the CPU of the server's thread and of PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        plain, clocked = Match(server, Random(0)), Match(server, Random(0), clock=msgspec.to_builtins(CLOCK))
        for match in (plain, clocked):
            slice_over_http(match)              # the server opens its connections, and reads what it has to read once
        pairs = [pair_over_http(nth, plain, clocked) for nth in range(SLICES)]
    return cost("over HTTP", pairs, SLICE)


def pair_over_http(nth: int, plain: Match, clocked: Match) -> tuple[float, float]:
    """Without a clock, and with one; the second has a warmer machine, and is each of them every other time."""
    if nth % 2:
        found = slice_over_http(clocked)
        return slice_over_http(plain), found
    return slice_over_http(plain), slice_over_http(clocked)


def slice_over_http(match: Match) -> float:
    databases = postgres_of(match.server.pid)
    return match.play(SLICE, lambda: match.server.cpu() + cpu_of(databases))[0]


class Cost(NamedTuple):
    """Microseconds of CPU a command."""

    own: float
    postgres: float

    @property
    def whole(self) -> float:
        return self.own + self.postgres


async def cost_in_the_core(tables: Tables) -> Row:
    """The same games at tables with and without, a move of each in turns; the CPU of this process and of PostgreSQL."""
    async with background(tables.server_clock.run()):
        pairs = [pair for seed in range(RUNS) for pair in await pairs_in_the_core(tables, seed)]
    databases = [median(each.postgres for each in column) for column in zip(*pairs, strict=True)]
    told = "; PostgreSQL {:.0f} us, with a clock {:.0f} us".format(*databases)
    return cost("in the core", [(plain.whole, clocked.whole) for plain, clocked in pairs], TABLES, told)


async def pairs_in_the_core(tables: Tables, seed: int) -> list[tuple[Cost, Cost]]:
    """Of the first moves of the games that the seed tells."""
    plain, clocked = [await games(tables, wanted, seed) for wanted in (SMALL, CLOCKED)]
    gc.collect()
    gc.freeze()                                 # else what is collected meanwhile is what earlier games have left
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
"""A table, and by what moves are chosen there."""


async def games(tables: Tables, wanted: NewTable, seed: int) -> list[Game]:
    names = [f"{seed} {nth}" for nth in range(TABLES)]
    return [(await begun(tables, wanted, deal_of(name)), Random(name)) for name in names]


async def moved(tables: Tables, games: Iterable[Game]) -> Cost:
    """A move at all tables at once."""
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
    """Its processes below this one that stay: those of autovacuum come and go."""
    below = [child for child in psutil.Process(pid).children(recursive=True) if "postgres" in child.name()]
    return [child.pid for child in below if "autovacuum worker" not in " ".join(child.cmdline())]


def cpu_of(pids: Iterable[int]) -> float:
    """Microseconds; the kernel counts nanoseconds there, and hundredths of seconds elsewhere."""
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids) / 1e3


# --- deadlines --------------------------------------------------------------------------------------------------------
async def firing(tables: Tables) -> Row:
    """From the instant of a deadline to the moment that its row stands in the log."""
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
    """One game after the other, at a table with a clock."""
    commands = 0
    while not stop.is_set():
        commands += await play(tables, await begun(tables, CLOCKED), luck)
    return commands
