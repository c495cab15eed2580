"""Settings of the HTTP and WebSocket libraries, and their errors."""

from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from ludarium_client.problems import Unreachable

PATIENCE = 60.0
"""How long a client keeps trying by default, in seconds."""
HTTP: dict[str, Any] = {"timeout": 30.0, "limits": httpx.Limits(keepalive_expiry=2.0)}
"""Settings of httpx.

Idle connections are closed before the server closes them: a request on a closing connection cannot be told from a lost one.
"""
SOCKET: dict[str, Any] = {"compression": None, "max_size": 16 * 2**20, "open_timeout": 10.0, "close_timeout": 1.0}
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures before any part of a request can have reached the server."""


def unreachable(error: Exception, *, sent: bool = False) -> Unreachable:
    return Unreachable(f"{type(error).__name__}: {error}", sent=sent)


def closed(error: ConnectionClosed) -> Unreachable:
    """Return the error for a closed WebSocket, with the server's code if it sent one."""
    return Unreachable(str(error), code=error.rcvd.code if error.rcvd else None)
