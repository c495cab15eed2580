"""`ludarium serve` in processes of their own, on a PostgreSQL and a Valkey that somebody else runs."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Self

from services.server import migrated
from tests.api.test_crash import LUDARIUM, free_port

STARTS_WITHIN = 30.0
LEAVES_WITHIN = 30.0


class Server:
    """One process, on free ports."""

    def __init__(self, database_url: str, redis_url: str, **settings: str) -> None:
        """`settings`: further variables, `ws_url` for LUDARIUM_WS_URL."""
        self.ws_port = free_port()
        given = {"database_url": database_url, "redis_url": redis_url, "port": "0", "ws_port": str(self.ws_port)} | settings
        self._environment = os.environ | {f"LUDARIUM_{name.upper()}": value for name, value in given.items()}

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            LUDARIUM, "serve", env=self._environment, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(STARTS_WITHIN):
            self.http = await self._told("play")
            await self._told("live")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(LEAVES_WITHIN):
                await self._process.wait()
        finally:
            if self._process.returncode is None:
                self._process.kill()

    @property
    def api(self) -> str:
        return f"{self.http}api/v1"

    async def _told(self, word: str) -> str:
        """The URL behind this word of what it says when it has started."""
        assert self._process.stdout is not None
        while line := (await self._process.stdout.readline()).decode().split():
            if line[0] == word:
                return line[1]
        raise AssertionError("ludarium serve has ended")


@asynccontextmanager
async def two_servers(database_url: str, redis_url: str, **settings: str) -> AsyncIterator[list[Server]]:
    """Side by side on an empty database."""
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Server(database_url, redis_url, **settings)) for _ in range(2)]
