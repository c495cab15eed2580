"""The blocking half of what differs between the clients.

`async_primitives` has the same names for `AsyncClient`.
"""

from collections.abc import Callable, Generator
from time import sleep
from typing import Any, TypeAlias, TypeVar

import websockets.sync.client
from websockets.sync.client import ClientConnection

from ludarium_client.bodies import ActionBody, TableView
from ludarium_client.effects import Steps
from ludarium_client.settings import SOCKET

__all__ = ["Choose", "ClientConnection", "Run", "Stream", "ask", "connect", "sleep"]

T = TypeVar("T")
Choose: TypeAlias = Callable[[TableView], ActionBody]
"""A function that returns a seat's answer to a view."""
Run: TypeAlias = Callable[[Steps[Any]], Any]
"""Carries out the effects of an operation and returns its result."""
Stream: TypeAlias = Generator[T, None, None]


def connect(url: str) -> ClientConnection:
    """Open a connection that stays open until it is closed, without a `with` block."""
    connection: ClientConnection = websockets.sync.client.connect(url, **SOCKET).__enter__()
    return connection


def ask(choose: Choose, view: TableView) -> ActionBody:
    return choose(view)
