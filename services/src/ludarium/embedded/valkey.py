"""Valkey on a Unix socket. It carries hints and rate counters only, so it keeps nothing on disk."""

import signal
from pathlib import Path

import redis.asyncio

from ludarium.embedded.account import Account
from ludarium.embedded.binaries import valkey_binary
from ludarium.embedded.supervisor import Server

PROBE_WITHIN = 5.0  # seconds


def valkey(data: Path, sockets: Path, account: Account) -> Server:
    """Valkey, to be reached in `sockets`."""
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
        prepare=_nothing,
        probe=lambda: probe(sockets),
        stop=signal.SIGTERM,
    )


def redis_url(sockets: Path) -> str:
    """How to connect through the socket in `sockets`."""
    return f"unix://{sockets / 'valkey.sock'}"


async def _nothing() -> None:
    """Valkey leaves nothing behind that a start would have to clear."""


async def probe(sockets: Path) -> None:
    """Raises whatever the client makes of a server that is not there, only just there, or dying."""
    async with redis.asyncio.from_url(redis_url(sockets), socket_timeout=PROBE_WITHIN) as client:
        await client.ping()
