"""Simple clients for both embedded servers, and `ludarium services` as a process."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import redis.asyncio

from tests.support.waiting import LIMIT


async def query(url: str, statement: str) -> object:
    """Return the single value of a statement, using a new connection."""
    connection = await asyncpg.connect(url, timeout=LIMIT)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


async def ping(url: str) -> bool:
    async with redis.asyncio.from_url(url) as client:
        return bool(await client.ping())


@dataclass
class Process:
    """A running `ludarium services`."""

    process: subprocess.Popen[str]
    database_url: str
    redis_url: str

    def end(self, signum: signal.Signals) -> int:
        self.process.send_signal(signum)
        return self.process.wait(timeout=LIMIT)


@contextmanager
def ludarium_services(home: Path, **environment: str) -> Iterator[Process]:
    """Run `ludarium services` on `home`, with only the given environment variables."""
    with subprocess.Popen(
        [Path(sys.executable).with_name("ludarium"), "services"], cwd=home.parent, text=True,
        env={"PATH": os.defpath, "LUDARIUM_HOME": str(home), **environment},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:
        # Callers that wait for a process that hangs get an end of file instead.
        watchdog = threading.Timer(LIMIT, process.kill)
        watchdog.start()
        try:
            yield Process(process, _printed(process), _printed(process))
        finally:
            watchdog.cancel()
            process.kill()


def _printed(process: subprocess.Popen[str]) -> str:
    assert process.stdout and process.stderr
    line = process.stdout.readline()
    assert line, f"it ended: {process.stderr.read()}"
    return line.split()[1]
