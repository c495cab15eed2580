"""Faults under load that the operators' alerts and panels must name.

The faults are a slow database, a lost Valkey, a looping ruleset, an exhausted connection pool, a stopped projection, and
two stops in which PostgreSQL responds but no command succeeds. Each fault is ended by the statements on its page in
docs/operations, and a command must then be accepted soon.
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

from ludarium.embedded.postgres import LOGIN
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import Login
from tests.faults.kills import Play, verified, wrongs
from tests.faults.liveness import plays_again
from tests.faults.prometheus import Prometheus, prometheus
from tests.faults.tables import PAUSE, opened
from tests.support.blind_client import random_action
from tests.support.people import Person
from tests.support.servers import LUDARIUM, ServerProcess
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/operations"
WITHIN = 180.0
"""Seconds until a fault is named, and until it is over, on a busy machine."""
HELD, FREE = 0.6, 0.02
"""Seconds for which the forgotten job holds the lock, and lets go of it."""
LISTERS = 20
LASTS = 3 * WITHIN
STOPPED = ("LudariumStalled", "LudariumCommandsUnavailable", "LudariumDatabaseAway")
"""Alerts that fire while no command succeeds."""
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
Step = Callable[["Ward"], Awaitable[None]]


class Fault(NamedTuple):
    """A fault.

    Attributes:
        alert: The name of the alert that must fire.
        panel: The dashboard panel that must show a value for which `bad` is true.
        begin: The step that causes the fault.
        end: The step by which an operator ends the fault.
        doctor: For a stop of all commands, the expected finding of `ludarium doctor`.
    """

    name: str
    alert: str
    page: str
    panel: str
    bad: Callable[[float], bool]
    begin: Step
    end: Step
    doctor: str = ""


class Named(NamedTuple):
    """The measurements for a fault.

    Attributes:
        after: Seconds from the beginning of the fault until both alert and panel showed it.
        over: Seconds from the end of the fault until both alert and panel were quiet.
        beside: Other alerts that fired.
        accepted: Seconds from the end of the fault until a command was accepted.
        stopped: For a stop of all commands, the seconds until each signal.
    """

    fault: str
    alert: str
    after: float
    over: float
    beside: set[str]
    accepted: float
    stopped: dict[str, float]

    def __str__(self) -> str:
        others = f", beside {', '.join(sorted(self.beside))}" if self.beside else ""
        told = f"{self.fault}: {self.alert} after {self.after:.0f} s{others}; quiet {self.over:.0f} s after its end"
        stopped = "".join(f"\n  {what} after {after:.0f} s" for what, after in self.stopped.items())
        return f"{told}; a command was accepted {self.accepted:.1f} s after it{stopped}"


class Ward:
    """A service under load, with a Prometheus and the faults caused so far."""

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
        """Run a statement from a page of the operators' runbook."""
        return await self.owner.fetch(statement(page, like).replace("PID", str(given.get("pid", ""))))


def statement(page: str, like: str) -> str:
    found = [" ".join(each.split()) for each in re.findall(r"`((?:select|grant|alter) [^`]*)`", (PAGES / page).read_text())]
    (one,) = [each for each in found if like in each]
    return one


# --- faults, and what operators do ------------------------------------------------------------------------------------------
async def forgotten_job(ward: Ward, lock: str, held: float) -> None:
    """Take a lock that all commands need, repeatedly, until the session is terminated."""
    connection = await asyncpg.connect(ward.url)
    with suppress(asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.AdminShutdownError):
        while True:
            async with connection.transaction():
                await connection.execute(lock)
                await asyncio.sleep(held)
            await asyncio.sleep(FREE)


async def slows(ward: Ward) -> None:
    ward.hurt(forgotten_job(ward, "lock table es.events in share mode", HELD))


async def locks(ward: Ward) -> None:
    ward.hurt(forgotten_job(ward, "lock table es.events in exclusive mode", LASTS))


async def waits_for_a_standby(ward: Ward) -> None:
    """Make commits wait for a standby that does not exist."""
    ward.stack.push_async_callback(waits_for_none, ward)        # otherwise the database cannot be dropped
    await ward.owner.execute("alter system set synchronous_standby_names = 'gone'")
    await ward.owner.execute("select pg_reload_conf()")


async def waits_for_none(ward: Ward) -> None:
    await ward.owner.execute("alter system reset synchronous_standby_names")
    await ward.owner.execute("select pg_reload_conf()")


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
    """Wait until a session is blocked by another one, and terminate the blocker."""
    async with asyncio.timeout(WITHIN):
        while not (waiting := await ward.asked(page, "pg_blocking_pids")):
            await asyncio.sleep(0.1)
    holders = {pid for row in waiting for pid in row["held_by"]} - {row["pid"] for row in waiting}
    for pid in holders:
        await ward.asked(page, "pg_terminate_backend", pid=pid)


async def mends_slow(ward: Ward) -> None:
    await ends_who_holds_the_lock("database-slow.md", ward)


async def unlocks(ward: Ward) -> None:
    await ends_who_holds_the_lock("stalled.md", ward)


async def goes_on_without_standby(ward: Ward) -> None:
    await ward.asked("stalled.md", "alter system set")
    await ward.asked("stalled.md", "pg_reload_conf")


async def mends_full(ward: Ward) -> None:
    await ends_who_holds_the_lock("pool-exhausted.md", ward)


async def loses_valkey(ward: Ward) -> None:
    await ward.carrier.kill()


async def starts_valkey(ward: Ward) -> None:
    await ward.carrier.start()


async def loops(ward: Ward) -> None:
    """Start a faulty new release next to the old one, with two players."""
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
    """Stop the faulty release, so that only the old one is left."""
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
    Fault("a session that holds the log", "LudariumStalled", "stalled.md", "Oldest work that has not succeeded",
          lambda s: s > 10, locks, unlocks, "locks"),
    Fault("a synchronous standby that is gone", "LudariumCommandsUnavailable", "commands-unavailable.md",
          "Commands that are unavailable", lambda share: share > 0.05, waits_for_a_standby, goes_on_without_standby, "commits"),
)  # fmt: skip


# --- procedure --------------------------------------------------------------------------------------------------------------
async def named(ward: Ward, fault: Fault) -> Named:
    assert fault.alert in (PAGES / fault.page).read_text()
    await until(ward, fault, False)
    began = monotonic()
    await fault.begin(ward)
    stopped = await seen_to_stop(ward, fault, began) if fault.doctor else {}
    await until(ward, fault, True)
    after, beside = stopped.get(fault.alert, monotonic() - began), await ward.watcher.firing() - {fault.alert, *stopped}
    await fault.end(ward)
    ended = monotonic()
    stop_harm(ward)
    accepted = await plays_again(ward.server.api, lambda: fires(ward))
    await until(ward, fault, False)
    return Named(fault.name, fault.alert, after, monotonic() - ended, beside, accepted, stopped)


async def fires(ward: Ward) -> bool:
    return bool(await ward.watcher.firing())


async def seen_to_stop(ward: Ward, fault: Fault, began: float) -> dict[str, float]:
    """Return the seconds until each signal shows that no command succeeds.

    The signals are `/readyz`, the alerts and `ludarium doctor`.
    """
    seen: dict[str, float] = {}
    async with httpx.AsyncClient(timeout=LIMIT) as http, asyncio.timeout(WITHIN):
        while len(seen) < 1 + len(STOPPED):
            if "/readyz" not in seen and (await http.get(f"{ward.server.http}readyz")).status_code == 503:
                seen["/readyz"] = monotonic() - began
            for alert in await ward.watcher.firing() & {*STOPPED} - {*seen}:
                seen[alert] = monotonic() - began
            await asyncio.sleep(0.5)
    told = await doctor(ward.server.environment)
    assert any(line.split()[:2] == ["wrong", f"{fault.doctor}:"] for line in told.splitlines()), told
    return seen | {"the doctor, asked then": monotonic() - began}


async def doctor(environment: dict[str, str]) -> str:
    process = await asyncio.create_subprocess_exec(
        LUDARIUM, "doctor", env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    told, _ = await process.communicate()
    return told.decode()


async def until(ward: Ward, fault: Fault, is_there: bool) -> None:
    """Wait until alert and panel both show the fault, or until neither does."""
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
    """Cause each fault while people play, then compare all responses with the log."""
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
