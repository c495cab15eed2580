"""Kill servers of tournaments, and send requests to those that still run."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from random import Random

import httpx

from tests.faults.deals import Servers
from tests.faults.tournament_late import Shoot
from tests.support.servers import ServerProcess
from tests.support.waiting import within_limit

LULL = (0.3, 1.5)
"""Seconds between the recovery of a process and the next kill."""
AGAIN = 0.1
AWAY = (502, 503)
STARTS = 3
"""How often a process that does not start is started again."""
POSTGRES = 0.3
"""How often PostgreSQL is killed too."""


class Anywhere(httpx.AsyncBaseTransport):
    """A transport that sends requests to any running process, and repeats failed ones.

    Every change has an idempotency key, so repeating it is safe.

    Raises:
        TimeoutError: No process has responded for a long time.
    """

    def __init__(self, servers: Servers) -> None:
        self.servers, self.real = servers, httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=200))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        async with within_limit():
            return await self.answered(request)

    async def answered(self, request: httpx.Request) -> httpx.Response:
        while True:
            try:
                answer = await self.real.handle_async_request(self.at_one(request))
                await answer.aread()            # a kill may separate the head and the body
                if answer.status_code not in AWAY:
                    return answer
                await answer.aclose()
            except (httpx.TransportError, IndexError):
                pass
            await asyncio.sleep(AGAIN)

    async def aclose(self) -> None:
        await self.real.aclose()

    def at_one(self, request: httpx.Request) -> httpx.Request:
        """Return the request readdressed to a running process.

        Raises:
            IndexError: No process is running.
        """
        there = httpx.URL(self.servers.any().http)
        return httpx.Request(request.method, request.url.copy_with(host=there.host, port=there.port), headers=request.headers,
                             content=request.content, extensions=request.extensions)  # fmt: skip


class Killer:
    """A killer of server processes that starts new ones.

    Attributes:
        most: The maximum number of kills.
        shoot: A function that kills our PostgreSQL, if there is one, and waits until it is back.
    """

    def __init__(self, servers: Servers, urls: tuple[str, str], luck: Random, most: int, shoot: Shoot | None) -> None:
        self.servers, self.urls, self.luck, self.most, self.kills = servers, urls, luck, most, 0
        self.shoot = shoot
        self.over, self.alone = asyncio.Event(), asyncio.Lock()

    async def strike(self) -> None:
        """Kill one process without warning, and start another in its place."""
        async with self.alone:
            await self.kill(1)

    async def kill(self, many: int) -> None:
        for _ in range(many):
            if self.servers.alive:
                await self.servers.alive.pop(0).kill()
                self.kills += 1
        await launched(self.servers, self.urls)

    async def run(self) -> None:
        while not self.over.is_set() and self.kills < self.most:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.luck.uniform(*LULL)):
                    await self.over.wait()
            async with self.alone:
                if self.shoot and self.luck.random() < POSTGRES:
                    await self.shoot()
                    self.kills += 1
                await self.kill(self.luck.choice((1, 1, 2)))


async def launched(servers: Servers, urls: tuple[str, str]) -> None:
    """Start processes, with retries, until two are running.

    Raises:
        TimeoutError: A process has not started even after retries.
    """
    failed = 0
    while len(servers.alive) < 2:
        server = ServerProcess(*urls, rate_limits="false")
        try:
            servers.alive.append(await server.__aenter__())
        except TimeoutError:
            await server.kill()
            failed += 1
            if failed > STARTS:
                raise


@asynccontextmanager
async def two_processes(database_url: str, redis_url: str, luck: Random) -> AsyncIterator[Servers]:
    servers = Servers(database_url, redis_url, luck)
    try:
        await launched(servers, (database_url, redis_url))
        yield servers
    finally:
        await servers.kill()
