"""Run Valkey as a process of one test or module, isolated from other tests."""

import asyncio
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from redis.asyncio import Redis

from ludarium.embedded.account import choose_account
from ludarium.embedded.binaries import valkey_binary
from ludarium.embedded.valkey import redis_url
from ludarium.embedded.valkey import valkey as embedded_valkey
from tests.support import ports
from tests.support.waiting import LIMIT, eventually


class Process:
    """A Valkey at `url` that a test may kill, freeze and start again."""

    def __init__(self, url: str, command: Sequence[str], log: Path) -> None:
        self.url, self._command, self._log = url, command, log

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*self._command, stdout=log, stderr=log)
        await eventually(self._listens)

    async def kill(self) -> None:
        """Kill the process as a crash would, without warning."""
        if self.alive:
            self._process.kill()
        await self._process.wait()

    async def freeze(self) -> None:
        """Stop the process, so that it accepts connections but does not respond."""
        self._process.send_signal(signal.SIGSTOP)

    async def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    async def _listens(self) -> bool:
        assert self.alive, self._log.read_text()[-2000:]
        where = urlsplit(self.url)
        try:
            _, writer = await (
                asyncio.open_unix_connection(where.path) if where.scheme == "unix"
                else asyncio.open_connection(where.hostname, where.port)
            )  # fmt: skip
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        writer.close()
        return True


class Valkey(Process):
    """A Valkey on a Unix socket in `folder`, with the settings of the embedded server."""

    def __init__(self, folder: Path) -> None:
        account = choose_account(None)
        account.own(folder)
        server = embedded_valkey(folder, folder, account)
        super().__init__(redis_url(folder), server.command, server.log)


class TcpValkey(Process):
    """A Valkey on a TCP port that does not change when the server is restarted."""

    def __init__(self, folder: Path, **settings: str | int) -> None:
        """Prepare a Valkey, and create `folder` for its files.

        Args:
            settings: Further settings, e.g. `repl_timeout` for repl-timeout.
        """
        account = choose_account(None)
        folder.mkdir()
        account.own(folder)
        self.port = ports.reserve()
        given = {"port": self.port, "bind": "127.0.0.1", "dir": folder, "save": ""} | settings
        options = [word for name, value in given.items() for word in (f"--{name.replace('_', '-')}", str(value))]
        super().__init__(f"redis://127.0.0.1:{self.port}", account.command(valkey_binary(account), *options), folder / "log")

    async def ask(self, *command: str | int) -> object:
        """Send one command and return the reply."""
        async with Redis.from_url(self.url, socket_timeout=LIMIT, socket_connect_timeout=LIMIT) as client:
            answer = await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer.decode() if isinstance(answer, bytes) else answer


@asynccontextmanager
async def own_valkey() -> AsyncIterator[Valkey]:
    """Run an empty Valkey until the context ends."""
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        async with Valkey(Path(folder)) as server:
            yield server
