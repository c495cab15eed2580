"""A Valkey of a test's own, to be killed and started again."""

import asyncio
import signal
from pathlib import Path
from typing import Self

from services.embedded.account import choose_account
from services.embedded.supervisor import Supervisor
from services.embedded.valkey import redis_url, valkey


class Valkey:
    def __init__(self, folder: Path) -> None:
        account = choose_account(None)
        account.own(folder)
        self.url = redis_url(folder)
        self._server = valkey(folder, folder, account)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def start(self) -> None:
        with self._server.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*self._server.command, stdout=log, stderr=log)
        async with asyncio.timeout(10):
            while not await Supervisor(self._server).answers():
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """As a crash would, with no warning."""
        if self.alive:
            self._process.kill()
        await self._process.wait()

    async def freeze(self) -> None:
        """It takes connections, and answers nobody."""
        self._process.send_signal(signal.SIGSTOP)

    async def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)
