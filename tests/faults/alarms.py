"""Faults under load, and whether what operators look at names them: a slow database, a lost Valkey, a ruleset that loops, a
full pool, a stopped projection. Each is ended by what its page in docs/operations says, with the page's own statements.
"""
from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import asyncpg
import httpx

from eventstore import Login
from services.embedded.postgres import LOGIN
from services.migrations import migrated
from tests.faults.kills import PAUSE, Play, opened, verified, wrongs
from tests.faults.prometheus import Prometheus, prometheus
from tests.support.blind_client import random_action
from tests.support.people import Person
from tests.support.servers import ServerProcess
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/operations"
WITHIN = 180.0
"""Seconds until a fault is named, and until it is over, on a busy machine."""
HELD, FREE = 0.6, 0.02
"""Seconds that the forgotten job of the slow database holds the log, and lets others at it."""
LISTERS = 20
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Step = Callable[["Ward"], Awaitable[None]]


class Fault(NamedTuple):
    """alert, panel: what names it, the latter by a value that is `bad`. begin: what goes wrong. end: what an operator does."""

    name: str
    alert: str
    page: str
    panel: str
    bad: Callable[[float], bool]
    begin: Step
    end: Step


class Named(NamedTuple):
    """Seconds until the alert fired and the panel showed it, and from its end until both were quiet; what fired beside."""

    fault: str
    alert: str
    after: float
    over: float
    beside: set[str]

    def __str__(self) -> str:
        others = f", beside {', '.join(sorted(self.beside))}" if self.beside else ""
        return f"{self.fault}: {self.alert} after {self.after:.0f} s{others}; quiet {self.over:.0f} s after its end"


class Ward:
    """A house under load, with who watches it and what was done to it."""

    def __init__(self, stack: AsyncExitStack, database_url: str, carrier: Valkey, watcher: Prometheus) -> None:
        self.stack, self.url, self.carrier, self.watcher = stack, database_url, carrier, watcher
        self.service_url = urlsplit(database_url)._replace(netloc=f"{LOGIN}@").geturl()
        self.harm: list[asyncio.Task[None]] = []
        self.looping: ServerProcess | None = None

    async def start(self) -> None:
        await migrated(self.url, Login.of(self.service_url))
        self.server = await self.stack.enter_async_context(self.process())
        self.watcher.watch(self.server.metrics_port)
        self.owner: Connection = await asyncpg.connect(self.url)
        self.stack.push_async_callback(self.owner.close)

    def process(self) -> ServerProcess:
        return ServerProcess(self.service_url, self.carrier.url, metrics_port="0", rate_limits="false")

    def hurt(self, work: Awaitable[None]) -> None:
        self.harm.append(asyncio.ensure_future(work))

    async def asked(self, page: str, like: str, **given: Any) -> list[asyncpg.Record]:
        """The answer to a statement that stands in a page of the runbook."""
        return await self.owner.fetch(statement(page, like).replace("PID", str(given.get("pid", ""))))


def statement(page: str, like: str) -> str:
    found = [" ".join(each.split()) for each in re.findall(r"`((?:select|grant) [^`]*)`", (PAGES / page).read_text())]
    (one,) = [each for each in found if like in each]
    return one


# --- what goes wrong, and what an operator does -----------------------------------------------------------------------------
async def forgotten_job(ward: Ward, lock: str, held: float) -> None:
    """Somebody's session with a lock that everybody needs, until it is ended."""
    connection = await asyncpg.connect(ward.url)
    with suppress(asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.AdminShutdownError):
        while True:
            async with connection.transaction():
                await connection.execute(lock)
                await asyncio.sleep(held)
            await asyncio.sleep(FREE)


async def slows(ward: Ward) -> None:
    ward.hurt(forgotten_job(ward, "lock table es.events in share mode", HELD))


async def fills(ward: Ward) -> None:
    ward.hurt(forgotten_job(ward, "lock table lobby.tables in access exclusive mode", WITHIN))
    async with httpx.AsyncClient(base_url=ward.server.api, timeout=LIMIT) as http:
        people = [await Person.arrive(http) for _ in range(2)]
    ward.harm += [asyncio.ensure_future(lists(ward, people[nth % 2])) for nth in range(LISTERS)]


async def lists(ward: Ward, person: Person) -> None:
    async with httpx.AsyncClient(base_url=ward.server.api, timeout=LIMIT) as http:
        while True:
            await http.get("/tables", headers=person.headers, params={"limit": 5})
            await asyncio.sleep(PAUSE)


async def ends_who_holds_the_lock(page: str, ward: Ward) -> None:
    """Looks until it sees somebody wait for somebody, then ends the holder."""
    async with asyncio.timeout(WITHIN):
        while not (waiting := await ward.asked(page, "pg_blocking_pids")):
            await asyncio.sleep(0.1)
    holders = {pid for row in waiting for pid in row["held_by"]} - {row["pid"] for row in waiting}
    for pid in holders:
        await ward.asked(page, "pg_terminate_backend", pid=pid)


async def mends_slow(ward: Ward) -> None:
    await ends_who_holds_the_lock("database-slow.md", ward)


async def mends_full(ward: Ward) -> None:
    await ends_who_holds_the_lock("pool-exhausted.md", ward)


async def loses_valkey(ward: Ward) -> None:
    await ward.carrier.kill()


async def starts_valkey(ward: Ward) -> None:
    await ward.carrier.start()


async def loops(ward: Ward) -> None:
    """A new release beside the old one, and two who play there."""
    ward.looping = await ward.process().start(sys.executable, "-m", "tests.faults.looping")
    ward.watcher.watch(ward.server.metrics_port, ward.looping.metrics_port)
    ward.hurt(attacks(ward.looping.api))


async def attacks(api: str) -> None:
    async with httpx.AsyncClient(base_url=api, timeout=LIMIT) as http:
        people = [await Person.arrive(http) for _ in range(2)]
        table = await opened(people, "game-of-kingdoms")
        while True:
            for person in people:
                view = await person.view(table)
                if view["choice"]:
                    await person.command(table, view, random_action(view["choice"], Random(1)))
                await asyncio.sleep(PAUSE)


async def goes_back(ward: Ward) -> None:
    """To the release before."""
    assert ward.looping is not None
    stop_harm(ward)
    ward.watcher.watch(ward.server.metrics_port)
    await ward.looping.stop()


async def takes_a_right(ward: Ward) -> None:
    await ward.owner.execute("revoke insert, update on all tables in schema lobby from ludarium_service")


async def grants(ward: Ward) -> None:
    await ward.owner.execute(statement("projection-stopped.md", "grant").replace("NAME", "lobby"))


FAULTS = (
    Fault("a slow database", "LudariumDatabaseSlow", "database-slow.md", "Commit", lambda s: s > 0.25, slows, mends_slow),
    Fault("a lost Valkey", "LudariumValkeyAway", "valkey-away.md", "Valkey is heard", lambda n: n == 0,
          loses_valkey, starts_valkey),
    Fault("a ruleset that loops", "LudariumFaults", "faults.md", "Event loop late (p99)", lambda s: s > 0.25,
          loops, goes_back),
    Fault("a full pool", "LudariumPoolExhausted", "pool-exhausted.md", "Waiting for a connection (p99)", lambda s: s > 1,
          fills, mends_full),
    Fault("a stopped projection", "LudariumProjectionStopped", "projection-stopped.md", "Projections stopped",
          lambda n: n >= 1, takes_a_right, grants),
)  # fmt: skip


# --- how it goes ------------------------------------------------------------------------------------------------------------
async def named(ward: Ward, fault: Fault) -> Named:
    assert fault.alert in (PAGES / fault.page).read_text()
    await until(ward, fault, False)
    began = monotonic()
    await fault.begin(ward)
    await until(ward, fault, True)
    after, beside = monotonic() - began, await ward.watcher.firing() - {fault.alert}
    await fault.end(ward)
    ended = monotonic()
    stop_harm(ward)
    await until(ward, fault, False)
    return Named(fault.name, fault.alert, after, monotonic() - ended, beside)


async def until(ward: Ward, fault: Fault, is_there: bool) -> None:
    """The alert and the panel say that it is there, or both that it is not."""
    async with asyncio.timeout(WITHIN):
        while True:
            fires = fault.alert in await ward.watcher.firing()
            shows = any(fault.bad(value) for value in await ward.watcher.shown(fault.panel))
            if fires == shows == is_there:
                return
            await asyncio.sleep(0.5)


def stop_harm(ward: Ward) -> None:
    for task in ward.harm:
        task.cancel()
    ward.harm.clear()


@asynccontextmanager
async def ward_at(folder: Path, database_url: str, carrier: Valkey, quicker: int) -> AsyncIterator[Ward]:
    async with AsyncExitStack() as stack:
        watcher = await stack.enter_async_context(prometheus(folder, quicker))
        ward = Ward(stack, database_url, carrier, watcher)
        await ward.start()
        try:
            yield ward
        finally:
            stop_harm(ward)


async def alarmed(
    folder: Path, database_url: str, carrier: Valkey, faults: Sequence[Fault], tables: int, quicker: int, luck: Random
) -> AsyncIterator[Named]:
    """Each fault in turn, while people play at so many tables; then all that they were told is held against the log."""
    async with ward_at(folder, database_url, carrier, quicker) as ward:
        async with httpx.AsyncClient(base_url=ward.server.api, timeout=LIMIT) as http:
            people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
            stop = asyncio.Event()
            plays = [Play(people, Random(luck.random()), stop) for _ in range(tables)]
            playing = [asyncio.create_task(play.run()) for play in plays]
            for fault in faults:
                yield await named(ward, fault)
            stop.set()
            await asyncio.gather(*playing)
            wrong = [await wrongs(table, tried, people) for play in plays for table, tried in play.tables.items()]
            assert not any(wrong), wrong
        await verified(ward.server.environment)
