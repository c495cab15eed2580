"""The context of the current request or socket, with the id for log lines."""

import re
import secrets
from contextvars import ContextVar

import msgspec

GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""Matches a request id from a proxy. Since any client can send such an id, it is only used in log lines."""


class Exchange(msgspec.Struct):
    """A request and its response, or a socket.

    Attributes:
        id: the id in log lines.
        headers: headers to add to the response.
        vary: the names of request headers on which the response depends.
    """

    id: str
    headers: dict[str, str] = {}
    vary: set[str] = set()


current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def new_id() -> str:
    return secrets.token_hex(8)


def tell(headers: dict[str, str]) -> None:
    """Add headers to the response to the current request, if there is one."""
    if exchange := current.get():
        exchange.headers |= headers


def vary(*names: str) -> None:
    """Add names of request headers to `Vary` in the current response, if there is one."""
    if exchange := current.get():
        exchange.vary.update(names)
