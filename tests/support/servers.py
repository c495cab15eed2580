"""Run `ludarium serve` as a process.

A test can read its addresses, kill it, and start it again at the same address.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Self

import httpx
import psutil

from ludarium.platform.schema_check import migrated
from tests.support import ports
from tests.support.entropy import seed_variables
from tests.support.preloaded import PreloadedProcess
from tests.support.waiting import eventually, in_time, within_limit

LUDARIUM = Path(sys.executable).parent / "ludarium"
LAST_LINE = "Ctrl-C"
"""The start of the last line of the report."""


async def stopped(process: Process | PreloadedProcess) -> int:
    """Ask a process to end, kill it if it does not, and return its exit code."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    try:
        return await in_time(process.wait())
    finally:
        if process.returncode is None:
            process.kill()


def reserved_ports() -> dict[str, str]:
    """Return settings for a server that can be started again at the same address."""
    return {"port": str(ports.reserve()), "ws_port": str(ports.reserve())}


class ServerProcess:
    """A process of `ludarium serve`, on free ports unless its settings give the ports."""

    def __init__(self, database_url: str = "", redis_url: str = "", **settings: str) -> None:
        """Prepare a server, with an embedded PostgreSQL and Valkey if no URLs are given.

        Args:
            settings: Further settings, e.g. `ws_url` for LUDARIUM_WS_URL, and `workers`, the number of worker
                processes.
        """
        self.workers = settings.pop("workers", "1")
        given = {"database_url": database_url, "redis_url": redis_url, "port": "0", "ws_port": "0"} | settings
        self.environment = os.environ | {f"LUDARIUM_{name.upper()}": value for name, value in given.items()}
        self._reported: dict[str, list[str]] = {}

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self, *program: str) -> Self:
        """Start the server and wait until it reports that it is running.

        Args:
            program: Another program to run with the same command line.
        """
        await self.launch(*program)
        self._reported = {}
        try:
            async with within_limit():
                await self._read_report()
        except BaseException:
            await self.kill()                   # __aexit__ is not called
            raise
        return self

    async def launch(self, *program: str) -> None:
        """Start the server without waiting for it."""
        arguments = "serve", f"--workers={self.workers}"
        environment = self.environment | seed_variables()
        self.process: Process | PreloadedProcess = (
            await asyncio.create_subprocess_exec(*program, *arguments, env=environment, stdout=PIPE)
            if program else await PreloadedProcess.start(arguments, environment)
        )  # fmt: skip

    async def stop(self) -> int:
        """Stop the server as a rolling restart does, and return its exit code."""
        return await stopped(self.process)

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()

    async def kill_and_launch(self) -> None:
        """Kill the server and start it again, without waiting until it is ready.

        With `reserved_ports`, its address does not change.
        """
        await self.kill()
        await self.launch()

    def kill_children(self, name: str) -> None:
        """Kill the server's child processes whose name contains `name`, if any."""
        for child in psutil.Process(self.pid).children():
            with suppress(psutil.NoSuchProcess):
                if name in child.name():
                    child.kill()

    async def is_ready(self, http: httpx.AsyncClient) -> bool:
        assert self.process.returncode is None, "ludarium serve has ended"
        try:
            return (await http.get(f"{self.http}readyz")).status_code == 200
        except httpx.TransportError:
            return False

    @property
    def http(self) -> str:
        """The server's HTTP URL."""
        (url,) = self._reported.get("play") or self._reported["health"]
        return url.removesuffix("healthz")

    @property
    def api(self) -> str:
        return f"{self.http}api/v1"

    @property
    def ws_port(self) -> int:
        """The port of the server's WebSocket."""
        return int(self._reported["live"][-1].rstrip("/").rpartition(":")[2])

    @property
    def metrics_port(self) -> int:
        """The port on which the server exposes its metrics."""
        return httpx.URL(self._reported["metrics"][0]).port or 0

    @property
    def pid(self) -> int:
        return self.process.pid

    async def _read_report(self) -> None:
        """Read the server's report up to the last line, and store each line by first word."""
        assert self.process.stdout is not None
        while LAST_LINE not in self._reported:
            words = (await self.process.stdout.readline()).decode().split()
            assert words, "ludarium serve has ended"
            self._reported[words[0]] = words[1:]


@asynccontextmanager
async def two_servers(database_url: str, redis_url: str, **settings: str) -> AsyncIterator[list[ServerProcess]]:
    """Run two servers on one database, which is migrated beforehand."""
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(ServerProcess(database_url, redis_url, **settings)) for _ in range(2)]


@asynccontextmanager
async def durable_server(home: Path) -> AsyncIterator[ServerProcess]:
    """Run a server with a durable embedded PostgreSQL and a Valkey.

    A test may kill the server and start it again at the same address.
    """
    async with ServerProcess(home=str(home), rate_limits="false", **reserved_ports()) as server, httpx.AsyncClient() as http:
        await eventually(lambda: server.is_ready(http))
        yield server
