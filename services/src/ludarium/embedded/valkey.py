"""Runs Valkey on a Unix socket.

Valkey stores only hints and rate counters, so nothing is saved to disk.
"""

import signal
from pathlib import Path

import redis.asyncio

from ludarium.embedded.account import Account
from ludarium.embedded.binaries import valkey_binary
from ludarium.embedded.supervisor import Server

PROBE_TIMEOUT = 5.0  # seconds


def valkey(data: Path, sockets: Path, account: Account) -> Server:
    """Return the Valkey server with its socket in `sockets`."""
    settings = {
        "port": "0",
        "unixsocket": str(sockets / "valkey.sock"),
        "unixsocketperm": "700",
        "dir": str(sockets),
        "save": "",
        "appendonly": "no",
        "maxmemory": "128mb",
        "maxmemory-policy": "volatile-ttl",
    }
    options = [word for name, value in settings.items() for word in (f"--{name}", value)]
    return Server(
        name="Valkey",
        command=account.command(valkey_binary(account), *options),
        log=data / "valkey.log",
        prepare=_nothing_to_prepare,
        probe=lambda: probe(sockets),
        stop=signal.SIGTERM,
    )


def redis_url(sockets: Path) -> str:
    """Return the URL of the socket in `sockets`."""
    return f"unix://{sockets / 'valkey.sock'}"


async def _nothing_to_prepare() -> None:
    """Do nothing, because Valkey leaves no files that must be removed before a start."""


async def probe(sockets: Path) -> None:
    """Send a PING. Raises any error of the client while the server is not ready."""
    async with redis.asyncio.from_url(redis_url(sockets), socket_timeout=PROBE_TIMEOUT) as client:
        await client.ping()
