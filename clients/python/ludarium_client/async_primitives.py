"""The asyncio half of what differs between the clients.

`primitives` has the same names for `Client`. The modules of `Client` are generated from those of `AsyncClient`, and import
`primitives` instead of this module.
"""

import inspect
from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

import websockets.asyncio.client
from websockets.asyncio.client import ClientConnection

from ludarium_client.bodies import ActionBody, TableView
from ludarium_client.effects import Steps
from ludarium_client.settings import SOCKET

__all__ = ["Choose", "ClientConnection", "Run", "Stream", "ask", "connect", "sleep"]

T = TypeVar("T")
Choose: TypeAlias = Callable[[TableView], ActionBody | Awaitable[ActionBody]]
"""A function, or coroutine function, that returns a seat's answer to a view."""
Run: TypeAlias = Callable[[Steps[Any]], Awaitable[Any]]
"""Carries out the effects of an operation and returns its result."""
Stream: TypeAlias = AsyncGenerator[T, None]


async def connect(url: str) -> ClientConnection:
    return await websockets.asyncio.client.connect(url, **SOCKET)


async def ask(choose: Choose, view: TableView) -> ActionBody:
    answer = choose(view)
    return await answer if inspect.isawaitable(answer) else answer
