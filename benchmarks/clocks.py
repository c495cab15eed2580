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

from benchmarks.commands import SMALL, begun, fresh_tables, play
from benchmarks.http import Match, Server, served
from benchmarks.rows import Row
from services.background import background
from services.clocks.settings import LiveClock
from services.tables.bodies import NewTable, PoliciesBody
from services.tables.chain import SEED, commitment, new_secret
from services.tables.deadlines import Deadlines
from services.tables.history import History
from services.tables.opening import Dealt
from services.tables.rows import Deal
from services.tables.tables import Tables
from services.tables.timing import ms

CLOCKS, FIRING = 10_000, 1_000
SOON = range(40, 60)                            # seconds until those that fire do
AT_ONCE = 32                                    # tables that are opened
PLAYED = 16                                     # tables beside
RUNS, TABLES = 12, 64
COMMANDS = 400                                  # over HTTP, in each run
CLOCK = LiveClock(3600, 3)
CLOCKED = replace(SMALL, policies=PoliciesBody(clock=CLOCK))


async def rows() -> AsyncIterator[Row]:
    yield cost_over_http()
    async with fresh_tables() as tables:
        yield await cost_in_the_core(tables)
        yield await firing(tables)


# --- what a clock costs -----------------------------------------------------------------------------------------------
class Cost(NamedTuple):
    """Microseconds of CPU a command."""

    own: float
    postgres: float

    @property
    def whole(self) -> float:
        return self.own + self.postgres


def cost(what: str, pairs: Sequence[tuple[float, float]], beside: str = "") -> Row:
    """pairs: microseconds without a clock, and with one."""
    (plain, clocked), ratio = map(median, zip(*pairs, strict=True)), median(clocked / plain for plain, clocked in pairs)
    return Row(
        name=f"clocks: CPU of a command {what} at a table with a clock, PostgreSQL's included", value=round(clocked),
        unit="us", beside=f"without: {plain:.0f} us{beside}; CPU ratio, median of {len(pairs)} pairs", ratio=ratio,
        goal="<= 1.03 x", holds=ratio <= 1.03,
    )  # fmt: skip


def cost_over_http() -> Row:
    """As players give commands: at tables with and without, in turns; the CPU of the server's thread and of PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        pairs = [pair_over_http(server, seed) for seed in range(RUNS)]
    return cost("over HTTP", pairs)


def pair_over_http(server: Server, seed: int) -> tuple[float, float]:
    """Without a clock, and with one."""
    plain, clocked = Match(server, Random(seed)), Match(server, Random(seed), clock=msgspec.to_builtins(CLOCK))
    databases = postgres_of(server.pid)

    def spent() -> float:
        return server.cpu() + cpu_of(databases)

    if seed % 2:
        found = clocked.play(COMMANDS, spent)[0]
        return plain.play(COMMANDS, spent)[0], found
    return plain.play(COMMANDS, spent)[0], clocked.play(COMMANDS, spent)[0]


async def cost_in_the_core(tables: Tables) -> Row:
    """The same games at tables with and without, in turns; the CPU of this process and of PostgreSQL."""
    async with background(tables.house.keep()):
        runs = [await both(tables, seed) for seed in range(RUNS)]
    databases = [median(each.postgres for each in column) for column in zip(*runs, strict=True)]
    told = "; PostgreSQL {:.0f} us, with a clock {:.0f} us".format(*databases)
    return cost("in the core", [(plain.whole, clocked.whole) for plain, clocked in runs], told)


async def both(tables: Tables, seed: int) -> tuple[Cost, Cost]:
    """Without a clock, and with one; the second has a warmer machine, and is each of them every other time."""
    if seed % 2:
        clocked = await cpu(tables, CLOCKED, seed)
        return await cpu(tables, SMALL, seed), clocked
    return await cpu(tables, SMALL, seed), await cpu(tables, CLOCKED, seed)


async def cpu(tables: Tables, wanted: NewTable, seed: int) -> Cost:
    """Of the games that the seed tells, to the last card."""
    names = [f"{seed} {nth}" for nth in range(TABLES)]
    opened = [await begun(tables, wanted, deal_of(name)) for name in names]
    gc.collect()
    gc.freeze()                                 # else what is collected meanwhile is what earlier games have left
    own, theirs = process_time(), cpu_of(postgres_of(os.getpid()))
    moves = sum(await asyncio.gather(*[play(tables, table, Random(name)) for table, name in zip(opened, names, strict=True)]))
    cost = Cost((process_time() - own) * 1e6 / moves, (cpu_of(postgres_of(os.getpid())) - theirs) / moves)
    gc.unfreeze()
    return cost


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
    await tables.house.learn()
    instants: dict[UUID, int] = {}
    late: list[int] = []

    async def fired(history: History) -> None:
        if history.clocks is not None and any(clock.out == ms(history.at) for clock in history.clocks.seats):
            late.append(ms(tables.house.now()) - instants[history.stream])

    await opened(tables, CLOCKS - FIRING, instants, range(3600, 3601))
    tables.listeners.append(fired)
    stop = asyncio.Event()
    async with background(tables.house.keep()), background(Deadlines(tables).keep()), asyncio.TaskGroup() as group:
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
            clocks = (await tables.hot.load(table)).clocks
            assert clocks is not None and clocks.next is not None
            instants[table] = clocks.next[0]

    await asyncio.gather(*map(one, range(wanted)))


async def played(tables: Tables, luck: Random, stop: asyncio.Event) -> int:
    """One game after the other, at a table with a clock."""
    commands = 0
    while not stop.is_set():
        commands += await play(tables, await begun(tables, CLOCKED), luck)
    return commands
