"""`ludarium serve` in processes of their own, of all roles or some, on a PostgreSQL and a Valkey that somebody else runs."""

import asyncio
import os
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Self

from services.migrations import migrated
from tests.api.test_crash import LUDARIUM, free_port

STARTS_WITHIN = 90.0
LEAVES_WITHIN = 30.0


async def stopped(process: Process, seconds: float) -> int:
    """The exit code of a process that is told to leave, and is killed if it does not in time."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(seconds):
            return await process.wait()
    finally:
        if process.returncode is None:
            process.kill()


class Server:
    """`ludarium serve`, on free ports."""

    def __init__(self, database_url: str, redis_url: str, **settings: str) -> None:
        """`settings`: further variables, `ws_url` for LUDARIUM_WS_URL; and how many `workers`, if not one."""
        self.workers = settings.pop("workers", "1")
        self.ws_port = free_port()
        given = {"database_url": database_url, "redis_url": redis_url, "port": "0", "ws_port": str(self.ws_port)} | settings
        self.environment = os.environ | {f"LUDARIUM_{name.upper()}": value for name, value in given.items()}
        self._said: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        return await self.begun(str(LUDARIUM))

    async def begun(self, *program: str) -> Self:
        """By another program than ours."""
        self._process = await asyncio.create_subprocess_exec(
            *program, "serve", f"--workers={self.workers}", env=self.environment, stdout=asyncio.subprocess.PIPE
        )
        try:
            async with asyncio.timeout(STARTS_WITHIN):
                await self._started()
        except BaseException:
            await self.kill()                   # nobody else will
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> int:
        """As a rolling restart does. Gives the exit code."""
        return await stopped(self._process, LEAVES_WITHIN)

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    @property
    def http(self) -> str:
        return self._said["play"]

    @property
    def health(self) -> str:
        """Of a process that has no API."""
        return self._said["health"].removesuffix("healthz")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def api(self) -> str:
        return f"{self.http}api/v1"

    async def _started(self) -> None:
        """Keeps the second word of each line by the first one, to the last line."""
        assert self._process.stdout is not None
        while "Ctrl-C" not in self._said:
            line = (await self._process.stdout.readline()).decode().split()
            assert line, "ludarium serve has ended"
            self._said[line[0]] = line[1]


@asynccontextmanager
async def two_servers(database_url: str, redis_url: str, **settings: str) -> AsyncIterator[list[Server]]:
    """Side by side on an empty database."""
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Server(database_url, redis_url, **settings)) for _ in range(2)]
