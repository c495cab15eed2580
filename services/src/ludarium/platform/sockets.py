"""Ports: to be bound before anything is begun, and said in words where they are taken."""
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
"""Seconds that a client may take nothing of what it is sent."""

RELEASED_WITHIN = 10.0
"""Seconds that a start waits for ports which processes of the run before still hold."""
LOOK = 0.1
log = logging.getLogger(__name__)

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


async def released(addresses: Iterable[tuple[str, int]], stop: asyncio.Event) -> None:
    """Wait some seconds while another process holds one of the addresses, or until `stop`.

    Say so once. An address that is still held then is refused, with words, by whatever listens there next.
    """
    ends, said = monotonic() + RELEASED_WITHIN, False
    while (taken := next(filter(is_taken, addresses), None)) and monotonic() < ends and not stop.is_set():
        if not said:
            log.info("%s:%d is in use; waiting up to %.0f s for it", *taken, RELEASED_WITHIN)
            said = True
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK)


def is_taken(address: tuple[str, int]) -> bool:
    """Whether a process listens there. Any other obstacle is left to `listening`, which names it."""
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
    """A handle of one's own: closing it leaves the others'."""
    return socket.socket(fileno=os.dup(INHERITED[port])) if port in INHERITED else None


def url_of(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host_of(host)}:{port}"


def host_of(host: str) -> str:
    """As it stands in a URL."""
    return f"[{host}]" if ":" in host else host
