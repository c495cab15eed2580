"""A Valkey of a test's own on a TCP port, as those are that others run."""

import asyncio
from pathlib import Path
from typing import Self

from redis.asyncio import Redis
from redis.exceptions import RedisError

from services.embedded.account import choose_account
from services.embedded.binaries import valkey_binary
from tests.api.test_crash import free_port

PATIENCE = 10.0
"""Seconds."""


class Node:
    """One Valkey on a port of its own."""

    def __init__(self, folder: Path, **settings: str | int) -> None:
        """`settings`: further ones, `repl_timeout` for repl-timeout."""
        account = choose_account(None)
        folder.mkdir()
        account.own(folder)
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        given = {"port": self.port, "bind": "127.0.0.1", "dir": folder, "save": ""} | settings
        options = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        self._command = account.command(valkey_binary(account), *options)
        self._log = folder / "log"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def ask(self, *command: str | int) -> object:
        """More patiently than the service: a machine that is busy with other tests may keep a node waiting."""
        async with Redis.from_url(self.url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as client:
            answer = await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer.decode() if isinstance(answer, bytes) else answer

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*self._command, stdout=log, stderr=log)
        async with asyncio.timeout(PATIENCE):
            while not await self._answers():
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        if self.alive:
            self._process.kill()
        await self._process.wait()

    async def _answers(self) -> bool:
        try:
            return bool(await self.ask("PING"))
        except (RedisError, OSError):
            return False
