"""Ports: to be bound before anything is begun, and said in words where they are taken."""
from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

STALLED = 40
"""Seconds that a client may take nothing of what it is sent."""

INHERITED: dict[int, int] = {}
"""By port the socket that whoever runs this process and others beside it has bound for all of them."""


class AddressTaken(Exception):
    """Something else listens there, or we may not."""


@contextmanager
def free(host: str, port: int) -> Iterator[None]:
    """Raises AddressTaken if what happens within cannot listen there."""
    try:
        yield
    except OSError as error:
        others = "LUDARIUM_PORT, LUDARIUM_WS_PORT and LUDARIUM_METRICS_PORT name others"
        raise AddressTaken(f"Cannot listen on {host}:{port}: {error.strerror}. {others}.") from error


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A bound socket: port 0 takes any that is free."""
    if given := inherited(port):
        with given:
            yield given
        return
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with free(host, port):
        listener = socket.create_server((host, port), family=family, backlog=1024)
    with listener:
        # Inherited by every connection; asyncio sets it only where a socket names its protocol. Else an answer in two
        # writes waits 40 ms for the client's acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # So is this: the kernel gives up a client that takes nothing for so long, even if it stays connected.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED * 1000)
        yield listener


def inherited(port: int) -> socket.socket | None:
    """A handle of one's own: closing it leaves the others'."""
    return socket.socket(fileno=os.dup(INHERITED[port])) if port in INHERITED else None


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host_of(host)}:{port}"


def host_of(host: str) -> str:
    """As it stands in a URL."""
    return f"[{host}]" if ":" in host else host
