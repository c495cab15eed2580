"""How the two clients use their libraries, and what those libraries' errors mean."""

from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from ludarium_client.problems import Unreachable

PATIENCE = 60.0
"""Seconds."""
HTTP: dict[str, Any] = {"timeout": 30.0, "limits": httpx.Limits(keepalive_expiry=2.0)}
"""An idle connection is given up before the server does it: a request on its way could not be told from a lost one."""
SOCKET: dict[str, Any] = {"compression": None, "max_size": 16 * 2**20, "open_timeout": 10.0, "close_timeout": 1.0}
UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""Failures before the server can have heard anything."""


def unreachable(error: Exception, *, sent: bool = False) -> Unreachable:
    return Unreachable(f"{type(error).__name__}: {error}", sent=sent)


def closed(error: ConnectionClosed) -> Unreachable:
    """The code is the server's, if it has sent one."""
    return Unreachable(str(error), code=error.rcvd.code if error.rcvd else None)
