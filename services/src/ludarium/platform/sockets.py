"""Bind ports, with a clear error if a port is taken.

Ports are bound before anything else starts.
"""
from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic

STALLED = 40
"""Seconds after which the kernel drops a client that accepts no data."""

RELEASED_WITHIN = 10.0
"""Seconds for which a new process waits for ports that an earlier process still holds."""
LOOK = 0.1
log = logging.getLogger(__name__)

INHERITED: dict[int, int] = {}
"""The sockets that a parent process has bound for all its workers, by port."""


class AddressTaken(Exception):
    """The address is in use, or not permitted."""


@contextmanager
def free(host: str, port: int) -> Iterator[None]:
    """Raise AddressTaken if the enclosed code cannot listen on this address."""
    try:
        yield
    except OSError as error:
        others = "LUDARIUM_PORT, LUDARIUM_WS_PORT and LUDARIUM_METRICS_PORT name others"
        raise AddressTaken(f"Cannot listen on {host}:{port}: {error.strerror}. {others}.") from error


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """Bind a socket; port 0 takes any free port."""
    if given := inherited(port):
        with given:
            yield given
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with free(host, port):
        listener = socket.create_server((host, port), family=family, backlog=1024)
    with listener:
        # Inherited by every connection. asyncio sets it only if a socket names its protocol. Without it, an answer in
        # two writes waits 40 ms for the client's acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Also inherited: the kernel drops a client that accepts no data for so long, even if it stays connected.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED * 1000)
        yield listener


async def released(addresses: Iterable[tuple[str, int]], stop: asyncio.Event) -> None:
    """Wait for other processes to release addresses, at most RELEASED_WITHIN seconds.

    The wait also ends when `stop` is set.
    The wait is logged once. If an address is still held afterwards, listening on it fails with AddressTaken.
    """
    ends, said = monotonic() + RELEASED_WITHIN, False
    while (taken := next(filter(is_taken, addresses), None)) and monotonic() < ends and not stop.is_set():
        if not said:
            log.info("%s:%d is in use; waiting up to %.0f s for it", *taken, RELEASED_WITHIN)
            said = True
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK)


def is_taken(address: tuple[str, int]) -> bool:
    """Return whether a process listens on this address.

    Other obstacles do not count here; `listening` reports them.
    """
    host, port = address
    if port == 0 or port in INHERITED:
        return False
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((host, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def inherited(port: int) -> socket.socket | None:
    """Return a duplicate of an inherited socket; closing it leaves the others open."""
    return socket.socket(fileno=os.dup(INHERITED[port])) if port in INHERITED else None


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host_of(host)}:{port}"


def host_of(host: str) -> str:
    """Return a host as written in a URL."""
    return f"[{host}]" if ":" in host else host
