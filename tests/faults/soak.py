"""A long run of two processes with idle and busy tables and many sockets.

It reports memory, latency, lost events, and the CPU time of a command with one process and with two.
"""
from __future__ import annotations

import asyncio
import resource
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count, cycle
from random import Random
from statistics import fmean, linear_regression, quantiles
from typing import NamedTuple
from zlib import crc32

import httpx
import psutil
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from ludarium.platform.schema_check import migrated
from ludarium.tables.table_cache import MOST_TABLES
from tests.faults.kills import verified, wrongs
from tests.faults.liveness import plays_again
from tests.faults.paced import PATIENCE, Paced, greeted
from tests.faults.rolling import ask
from tests.faults.tables import opened
from tests.support.people import Person
from tests.support.servers import ServerProcess

RULESET = "game-of-kingdoms"
IDLE, BUSY, SOCKETS, MINUTES = 10_000, 1_000, 5_000, 30.0
"""The size of a whole soak; a shorter one is smaller in proportion."""
PER_ADDRESS = 200
"""Sockets per loopback address; the gateway accepts 256."""
PAIRS, AT_ONCE = 8, 16
LOOKS = 60
GROWTH = 0.05
"""The part of its memory by which a process may grow in the second half."""
SHARED = 1.15
"""The most that a command may cost with two processes, relative to one."""
QUICK, COMPARED = 1.0, 160
"""Pace and tables of one process in that comparison, about the load of a soak."""
Tell = Callable[[str], None]


class Size(NamedTuple):
    idle: int
    busy: int
    sockets: int
    seconds: float

    @classmethod
    def of(cls, minutes: float) -> Size:
        part = min(1.0, minutes / MINUTES)
        idle, busy, sockets = (max(1, round(part * whole)) for whole in (IDLE, BUSY, SOCKETS))
        return cls(idle, busy, sockets, 60 * minutes)

    @property
    def known(self) -> int:
        """The number of tables that each process has in memory at the start.

        The table cache is limited to this number, since memory would otherwise grow with finished games.
        """
        return self.idle // 2 + self.busy


class Quick(Paced):
    pace = QUICK


class Soaked(NamedTuple):
    """The result of a soak test, which is a long run under constant load.

    Attributes:
        sizes: MiB of memory of each process at each measurement.
        cut: The number of sockets that the service closed.
        waited: Seconds at the end until each process accepted a command at a new table.
    """

    commands: int
    p50: float
    p99: float
    pushes: int
    cut: int
    wrong: list[str]
    sizes: list[list[float]]
    seconds: float
    waited: float

    @property
    def slopes(self) -> list[float]:
        """The memory growth of each process in the second half, in MiB per hour."""
        return [linear_regression(range(len(late)), late).slope * 3600 * LOOKS / self.seconds for late in self.late]

    @property
    def late(self) -> list[list[float]]:
        return [sizes[len(sizes) // 2 :] for sizes in self.sizes]

    @property
    def growth(self) -> float:
        """The growth of the process that grows most, as a fraction of its memory."""
        half = self.seconds / 3600 / 2
        return max(slope * half / fmean(late) for slope, late in zip(self.slopes, self.late, strict=True))

    @property
    def holds(self) -> bool:
        return not self.wrong and self.cut == 0 and self.growth <= GROWTH

    def __str__(self) -> str:
        memory = ", ".join(f"{sizes[0]:.0f} to {sizes[-1]:.0f} MiB ({slope:+.1f} an hour in the second half)"
                           for sizes, slope in zip(self.sizes, self.slopes, strict=True))  # fmt: skip
        return (f"{self.commands:,} commands, p50 {self.p50:.0f} ms, p99 {self.p99:.0f} ms; {self.pushes:,} pushes; "
                f"{self.cut} sockets cut; {len(self.wrong)} rows wrong; memory {memory}; "
                f"at the end a command at a new table was accepted after {self.waited:.1f} s")  # fmt: skip


class Soak:
    """Server processes, people at tables, and sockets that follow the tables."""

    def __init__(self, servers: Sequence[ServerProcess], luck: Random) -> None:
        self.servers, self.luck = servers, luck
        self.stop = asyncio.Event()
        self.plays: list[Paced] = []
        self.pushes = self.cut = self.watching = 0
        self.lines = count()
        self.apart = True

    async def open_idle(self, pairs: Sequence[list[Person]], tables: int) -> None:
        """Open tables with seated players who make no moves."""
        room = asyncio.Semaphore(AT_ONCE)

        async def one(pair: list[Person]) -> None:
            async with room:
                await opened(pair, RULESET)

        await asyncio.gather(*(one(pair) for pair, _ in zip(cycle(pairs), range(tables), strict=False)))

    def play(self, kind: type[Paced], pairs: Sequence[list[Person]], tables: int) -> list[asyncio.Task[None]]:
        at = zip(cycle(pairs), range(tables), strict=False)
        self.plays = [kind(pair, Random(self.luck.random()), self.stop, self.line) for pair, _ in at]
        return [asyncio.create_task(play.run()) for play in self.plays]

    async def watch(self, sockets: int, tables: Sequence[str]) -> list[asyncio.Task[None]]:
        room = asyncio.Semaphore(AT_ONCE)

        async def one() -> None:
            async with AsyncExitStack() as stack:
                async with room:
                    line = await stack.enter_async_context(self.line(self.luck.choice(tables)))
                self.watching += 1
                await self.counted(line)

        watchers = [asyncio.create_task(one()) for _ in range(sockets)]
        while self.watching < sockets and not any(watcher.done() for watcher in watchers):
            await asyncio.sleep(0.1)
        return watchers

    @asynccontextmanager
    async def line(self, table: str, person: Person | None = None) -> AsyncIterator[ClientConnection]:
        """Open a connection that follows a table, as a player or a spectator."""
        server, address = self.place(table)
        hello = {"id": 1, "type": "hello"} | ({"token": person.token} if person else {})
        async with await greeted(f"ws://127.0.0.1:{server.ws_port}/", address, hello) as line:
            await ask(line, {"id": 2, "type": "subscribe", "table": table, "after": -1})
            yield line

    def place(self, table: str) -> tuple[ServerProcess, str]:
        """Return the process and the client address for a new connection.

        The process is chosen by the table, as by the proxies in deploy/, or in turn if `apart` is set. Each client address
        has a limited number of connections.
        """
        nth = next(self.lines)
        server = self.servers[(nth if self.apart else crc32(table.encode())) % len(self.servers)]
        return server, f"127.0.{1 + nth // PER_ADDRESS // 250 % 250}.{2 + nth // PER_ADDRESS % 250}"

    async def counted(self, line: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for _ in line:
                self.pushes += 1
        self.cut += not self.stop.is_set()

    @property
    def times(self) -> list[float]:
        """The duration of each accepted command in milliseconds."""
        tried = (each.attempt for play in self.plays for of in play.tables.values() for each in of)
        return [1000 * (attempt.ended - attempt.began) for attempt in tried if attempt.version is not None]

    def cpu(self) -> float:
        """Return the CPU seconds of all server processes and their children."""
        ours = [process for server in self.servers for process in family(server.pid)]
        return sum(sum(process.cpu_times()[:2]) for process in ours)

    async def wrongs(self) -> list[str]:
        found = [await wrongs(table, tried, play.people) for play in self.plays for table, tried in play.tables.items()]
        return [fault for of_table in found for fault in of_table]


def family(pid: int) -> list[psutil.Process]:
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def size_of(server: ServerProcess) -> float:
    """Return the memory that a process does not share, in MiB."""
    return float(psutil.Process(server.pid).memory_full_info().uss) / (1 << 20)


@asynccontextmanager
async def soaking(
    database_url: str, redis_url: str, processes: int, luck: Random, hot_tables: int = MOST_TABLES
) -> AsyncIterator[Soak]:
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        given = {"rate_limits": "false", "hot_tables": str(hot_tables)}
        servers = [await stack.enter_async_context(ServerProcess(database_url, redis_url, **given)) for _ in range(processes)]
        yield Soak(servers, luck)


@asynccontextmanager
async def people_of(soak: Soak, connections: int) -> AsyncIterator[list[list[Person]]]:
    """Sign in pairs of people, each pair at one of the processes."""
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with AsyncExitStack() as stack:
        https = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, timeout=PATIENCE, limits=limits))
            for server in soak.servers
        ]
        pairs = zip(range(PAIRS), cycle(https), strict=False)
        yield [[await Person.arrive(http, name) for name in ("Ada", "Bea")] for _, http in pairs]


async def soaked(database_url: str, redis_url: str, size: Size, luck: Random, tell: Tell) -> Soaked:
    more_files()
    async with soaking(database_url, redis_url, 2, luck, size.known) as soak, people_of(soak, size.busy) as pairs:
        await soak.open_idle(pairs, size.idle)
        tell(f"{size.idle:,} tables idle")
        playing = soak.play(Paced, pairs, size.busy)
        while not all(play.tables for play in soak.plays):
            await asyncio.sleep(0.1)
        watching = await soak.watch(size.sockets, [[*play.tables][-1] for play in soak.plays])
        tell(f"{size.busy:,} tables busy, {size.sockets:,} sockets")
        sizes = await looked(soak, size.seconds, tell)
        soak.stop.set()
        await asyncio.gather(*playing)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        waited = max([await plays_again(server.api) for server in soak.servers])
        found = await soak.wrongs()
        await verified(soak.servers[0].environment)
        marks = quantiles(soak.times, n=100)
        return Soaked(len(soak.times), marks[49], marks[98], soak.pushes, soak.cut, found, sizes, size.seconds, waited)


async def looked(soak: Soak, seconds: float, tell: Tell) -> list[list[float]]:
    sizes: list[list[float]] = [[] for _ in soak.servers]
    for nth in range(LOOKS):
        await asyncio.sleep(seconds / LOOKS)
        for server, of in zip(soak.servers, sizes, strict=True):
            of.append(size_of(server))
        if nth % 10 == 9:
            told = ", ".join(f"{of[-1]:.0f} MiB" for of in sizes)
            tell(f"{seconds * (nth + 1) / LOOKS:.0f} s: {len(soak.times):,} commands, {told}")
    return sizes


class House(NamedTuple):
    """A server setup.

    With `apart`, the connections of a table go to different processes.
    """

    processes: int
    tables: int
    apart: bool = False


async def cost(database_url: str, redis_url: str, house: House, seconds: float, luck: Random) -> float:
    """Return the CPU time per command in milliseconds, over all server processes."""
    async with soaking(database_url, redis_url, house.processes, luck) as soak, people_of(soak, house.tables) as pairs:
        soak.apart = house.apart
        playing = soak.play(Quick, pairs, house.tables)
        while len(soak.times) < house.tables:
            await asyncio.sleep(0.1)
        before, done = soak.cpu(), len(soak.times)
        await asyncio.sleep(seconds)
        took = 1000 * (soak.cpu() - before) / (len(soak.times) - done)
        soak.stop.set()
        await asyncio.gather(*playing)
        return took


def more_files() -> None:
    """Raise the limit on open files for this process and its children."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
