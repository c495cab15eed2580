"""Deadlines beside 10,000 running clocks and people who play; and what a clock costs a command."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from statistics import median, quantiles
from time import process_time
from uuid import UUID

import psutil
from msgspec.structs import replace

from benchmarks.commands import SMALL, begun, fresh_tables, play
from benchmarks.rows import Row
from services.background import background
from services.clocks.settings import LiveClock
from services.tables.bodies import PoliciesBody
from services.tables.deadlines import Deadlines
from services.tables.history import History
from services.tables.tables import Tables
from services.tables.timing import ms

CLOCKS, FIRING = 10_000, 1_000
SOON = range(40, 60)                            # seconds until those that fire do
AT_ONCE = 32                                    # tables that are opened
PLAYED = 16                                     # tables beside
RUNS, TABLES = 20, 16
CLOCKED = replace(SMALL, policies=PoliciesBody(clock=LiveClock(3600, 3)))


async def rows() -> AsyncIterator[Row]:
    async with fresh_tables() as tables:
        yield await cost(tables)
        yield await firing(tables)


# --- what a clock costs -----------------------------------------------------------------------------------------------
async def cost(tables: Tables) -> Row:
    """The same moves at tables with and without, in turns; the CPU of this process and of PostgreSQL."""
    taken: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    for n in range(2 * RUNS):
        taken[n % 4 in (1, 2)].append(await cpu(tables, clocked=n % 4 in (1, 2), seed=n // 2))
    (plain, plain_pg), (clocked, clocked_pg) = (map(median, zip(*taken[which], strict=True)) for which in (False, True))
    ratio = (clocked + clocked_pg) / (plain + plain_pg)
    return Row(
        name="clocks: CPU of a command at a table with a clock, PostgreSQL's included", value=round(clocked + clocked_pg),
        unit="us", beside=f"without: {plain + plain_pg:.0f} us; PostgreSQL {plain_pg:.0f} us, with a clock {clocked_pg:.0f} us",
        ratio=ratio, goal="<= 1.03 x", holds=ratio <= 1.03,
    )  # fmt: skip


async def cpu(tables: Tables, *, clocked: bool, seed: int) -> tuple[float, float]:
    """Microseconds a command."""
    opened = [await begun(tables, CLOCKED if clocked else SMALL) for _ in range(TABLES)]
    luck, own, theirs = Random(seed), process_time(), postgres_cpu()
    moves = sum(await asyncio.gather(*[play(tables, table, luck) for table in opened]))
    return (process_time() - own) * 1e6 / moves, (postgres_cpu() - theirs) * 1e6 / moves


def postgres_cpu() -> float:
    """Of all its processes that live."""
    return sum(sum(p.cpu_times()[:2]) for p in psutil.Process().children(recursive=True) if "postgres" in p.name())


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
            table = await begun(tables, replace(SMALL, clock=LiveClock(banks[nth % len(banks)])))
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
