"""Restart all processes one after another during games, without a failed command."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from ludarium.platform import ids
from ludarium.platform.schema_check import migrated
from ludarium_client import AsyncClient, at_random
from ludarium_client.bodies import ActionBody, TableView
from ludarium_eventstore import migrate
from tests.deploy.image import passed
from tests.faults.kills import verified
from tests.faults.liveness import in_words, plays_again
from tests.support import ports
from tests.support.servers import ServerProcess
from tests.tables.growth import FUNCTION, MIGRATION, next_schemas
from tests.tables.newer import Newer, newer_release

ROLES = ("api", "api", "live", "live", "projections,bots,timers", "projections,bots,timers")
RULESET, SEATS = "game-of-kingdoms", 2
LULL = 3.0
"""Seconds of play before each restart."""
LONGEST, MEDIAN = 8.0, 4.0
"""Seconds until a closed socket is connected again."""
PAUSE = 0.05
THINKING = 0.05
"""Seconds of thought per move, so that the machine is not overloaded."""


class Rolled(NamedTuple):
    """The result of rolling restarts.

    Attributes:
        failed: Errors of commands or tables that remained after all retries.
        back: Seconds without a connection, for each reconnect.
        newer: The number of operations by the next release at these tables, by kind.
        waited: Seconds from the end until a command at a new table was accepted.
    """

    restarts: int
    commands: int
    games: int
    failed: list[str]
    back: list[float]
    newer: Counter[str]
    waited: float

    @property
    def holds(self) -> bool:
        return not self.failed and self.newer["note"] > 0 and max(self.back) <= LONGEST and self.median <= MEDIAN

    @property
    def median(self) -> float:
        return quantiles(self.back, n=100, method="inclusive")[49]

    def __str__(self) -> str:
        p99 = quantiles(self.back, n=100, method="inclusive")[98]
        told = f"{self.restarts} restarts, {self.games} games, {self.commands:,} commands, {len(self.failed)} of which failed; "
        told += f"the next release wrote {self.newer['note']} notes and looked {self.newer['sees']} times; "
        return told + (f"sockets were back {len(self.back)} times: p50 {self.median:.2f} s, p99 {p99:.2f} s, "
                       f"longest {max(self.back):.2f} s; {in_words(self.waited)}")  # fmt: skip


class Balancer:
    """A simple load balancer that tries the processes in turn until one accepts."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports, self._next = ports, cycle(range(len(ports)))

    async def __aenter__(self) -> Balancer:
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _line(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            far, to_far = await self._taken()
            ways = [asyncio.create_task(passed(near, to_far)), asyncio.create_task(passed(far, to_near))]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            to_far.close()
            await asyncio.wait(ways, timeout=1)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        to_near.close()

    async def _taken(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        first = next(self._next)
        for port in (*self._ports[first:], *self._ports[:first]):
            with suppress(ConnectionRefusedError):
                return await asyncio.open_connection("127.0.0.1", port)
        raise ConnectionRefusedError


class House:
    """Two processes of each role, behind one address for HTTP and one for WebSockets."""

    def __init__(self, stack: AsyncExitStack, database_url: str, redis_url: str) -> None:
        self._stack, self._urls = stack, (database_url, redis_url)
        self._ports = [ports.reserve() for _ in ROLES]
        self._servers: list[ServerProcess] = []

    async def start(self) -> None:
        self.front, self.sockets = [await self._stack.enter_async_context(Balancer(self.ports(of))) for of in ("api", "live")]
        for nth in range(len(ROLES)):
            self._servers.append(await self._started(nth))

    def ports(self, roles: str) -> list[int]:
        return [port for port, its in zip(self._ports, ROLES, strict=True) if its == roles]

    async def stop(self) -> None:
        await asyncio.gather(*(server.stop() for server in self._servers))

    @property
    def environment(self) -> dict[str, str]:
        return self._servers[0].environment

    async def _started(self, nth: int) -> ServerProcess:
        key = "ws_port" if ROLES[nth] == "live" else "port"
        given = {"roles": ROLES[nth], key: str(self._ports[nth]), "ws_url": self.live, "rate_limits": "false"}
        return await ServerProcess(*self._urls, **given).__aenter__()

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self.front.port}"

    @property
    def live(self) -> str:
        return f"ws://127.0.0.1:{self.sockets.port}/"

    async def restart(self, nth: int) -> None:
        """Stop a process and wait until its replacement runs, as a rollout does."""
        assert await self._servers[nth].stop() == 0
        self._servers[nth] = await self._started(nth)


class Crowd:
    """Pairs of people who play with the Python client, and sockets that follow them."""

    def __init__(self, house: House, luck: Random) -> None:
        self.server_clock, self.luck = house, luck
        self.commands = self.games = 0
        self.failed: list[str] = []
        self.back: list[float] = []
        self.tables: list[str] = []
        self.newer: Counter[str] = Counter()

    async def pair(self) -> None:
        async with AsyncClient(self.server_clock.api) as ada, AsyncClient(self.server_clock.api) as bea:
            for person in (ada, bea):
                await person.guest()
            while True:
                try:
                    await self.game([ada, bea])
                except Exception as error:      # any error is a failed command or table
                    self.failed.append(f"{type(error).__name__}: {error}")
                    await asyncio.sleep(1)

    async def game(self, people: Sequence[AsyncClient]) -> None:
        table = (await people[0].create_table(RULESET, seats=SEATS)).id
        for person in people:
            await person.sit(table)
        await people[0].start(table)
        self.tables.append(table)
        async with asyncio.TaskGroup() as group:
            for person in people:
                group.create_task(person.play(table, self.choosing()))
        self.games += 1

    def choosing(self) -> Callable[[TableView], Awaitable[ActionBody]]:
        choose = at_random(Random(self.luck.random()))

        async def counted(view: TableView) -> ActionBody:
            await asyncio.sleep(THINKING)
            self.commands += 1
            return choose(view)

        return counted

    async def watch(self) -> None:
        """Follow tables, reconnect if asked to, and measure the time between connections."""
        gone = None
        while True:
            wait = 0.0
            try:
                async with connect(self.server_clock.live, compression=None) as line:
                    await ask(line, {"id": 1, "type": "hello"})
                    await ask(line, {"id": 2, "type": "subscribe", "table": self.luck.choice(self.tables), "after": -1})
                    if gone is not None:
                        self.back.append(monotonic() - gone)
                    gone = None
                    async for message in line:
                        wait = told_to_wait(message) or wait
            except (OSError, ConnectionClosed, WebSocketException):
                pass                            # the wait is known from the messages
            gone = gone or monotonic()
            await asyncio.sleep(wait or PAUSE)


async def beside(newer: Newer, crowd: Crowd) -> None:
    """Let the next release read tables and write optional events unknown to this one."""
    while True:
        await asyncio.sleep(4 * PAUSE)
        what, table = crowd.luck.choice(("note", "sees")), crowd.luck.choice(crowd.tables[-len(ROLES) :])
        said = await newer.do(what, ids.decode(table), crowd.commands)
        crowd.newer[what] += "done" in said
        if "done" not in said:
            crowd.failed.append(f"the next release: {what}: {said}")


async def ask(line: object, request: dict[str, object]) -> None:
    await line.send(msgspec.json.encode(request).decode())  # type: ignore[attr-defined]
    while "ok" not in (answer := msgspec.json.decode(await line.recv())):  # type: ignore[attr-defined]
        continue
    assert answer["ok"], answer


def told_to_wait(message: str | bytes) -> float:
    heard = msgspec.json.decode(message)
    return float(heard["retry_after_ms"]) / 1000 if heard.get("type") == "going-away" else 0.0


async def rolled(
    database_url: str, redis_url: str, tables: int, sockets: int, rounds: int, luck: Random, tell: Callable[[str], None]
) -> Rolled:
    """Restart every process `rounds` times under load, then verify the log."""
    await migrated(database_url)
    async with house_of(database_url, redis_url) as house:
        crowd = Crowd(house, luck)
        await next_release_migrates(database_url)
        async with newer_release(database_url) as newer, crowded(crowd, newer, tables, sockets):
            for _ in range(rounds):
                for nth, roles in enumerate(ROLES):
                    await asyncio.sleep(LULL)
                    before = crowd.commands
                    await house.restart(nth)
                    tell(f"{roles} restarted under {crowd.commands - before} commands, {len(crowd.failed)} failed so far")
            await asyncio.sleep(LONGEST)
        waited = await plays_again(f"{house.api}/api/v1")
        await verified(house.environment)
    return Rolled(rounds * len(ROLES), crowd.commands, crowd.games, crowd.failed, crowd.back, crowd.newer, waited)


async def next_release_migrates(database_url: str) -> None:
    """Migrate to the next release, with which this release must run and restart."""
    with TemporaryDirectory() as folder:
        assert await migrate(database_url, next_schemas(Path(folder) / "next")) == [FUNCTION, MIGRATION]


@asynccontextmanager
async def house_of(database_url: str, redis_url: str) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        house = House(stack, database_url, redis_url)
        try:
            await house.start()
            yield house
        finally:
            await house.stop()


@asynccontextmanager
async def crowded(crowd: Crowd, newer: Newer, tables: int, sockets: int) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(crowd.pair()) for _ in range(tables)]
    while not crowd.tables:
        await asyncio.sleep(PAUSE)
    tasks += [asyncio.create_task(crowd.watch()) for _ in range(sockets)]
    tasks.append(asyncio.create_task(beside(newer, crowd)))
    try:
        yield
        gone = [task.exception() for task in tasks if task.done()]
        assert not gone, f"a player, a watcher or the next release gave up: {gone}"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
