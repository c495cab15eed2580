"""Reserve ports that must be known before a program binds them.

Prefer port 0 and the address that the program reports. Reserve a port only for a server that is started again at the
same address, for a program that cannot report its port, and for a port at which nothing may listen.

Reserved ports are outside the kernel's ephemeral range, so no outgoing connection can take one while its server is down.
Each port has a lock file that all test processes of this user share. The kernel releases the lock when the process ends,
even if it is killed.
"""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

FOLDER = Path(f"/tmp/ludarium-test-ports-{os.getuid()}")
"""The same folder for every checkout. The files are not deleted, since two processes could then lock the same port."""
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
FIRST, LAST = 10_000, 65_535

_held: list[int] = []
"""Descriptors of the lock files, open until this process ends."""


def reserve() -> int:
    """Return a port that no other test process gets until this process ends.

    Raises:
        OSError: No port is left.
    """
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    for port in candidates():
        lock = locked(port)
        if lock is None:
            continue
        if _is_free(port):
            _held.append(lock)
            return port
        os.close(lock)
    raise OSError(f"no port is left outside the range in {EPHEMERAL}")


def candidates() -> Iterator[int]:
    """Return the ports that the kernel never uses for outgoing connections."""
    first, last = map(int, EPHEMERAL.read_text().split())
    return (port for port in range(FIRST, LAST + 1) if not first <= port <= last)


def locked(port: int) -> int | None:
    """Lock the port's file, or return None if another process has locked it."""
    file = os.open(FOLDER / str(port), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _is_free(port: int) -> bool:
    """Check that no program listens at a port, since not all of them know the locks."""
    with suppress(OSError), socket.create_server(("127.0.0.1", port)):
        return True
    return False
