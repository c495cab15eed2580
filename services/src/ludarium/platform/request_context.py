"""Context of the current request or socket: its id, which its log lines contain."""

import re
import secrets
from contextvars import ContextVar

import msgspec

GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""A proxy's request id. Any client can send one, so it only names log lines and decides nothing."""


class Exchange(msgspec.Struct):
    """An exchange. `headers`: to add to the answer.

    `vary`: request headers that the answer depends on.
    """

    id: str
    headers: dict[str, str] = {}
    vary: set[str] = set()


current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def new_id() -> str:
    return secrets.token_hex(8)


def tell(headers: dict[str, str]) -> None:
    """Add headers to the current answer, if there is one."""
    if exchange := current.get():
        exchange.headers |= headers


def vary(*names: str) -> None:
    """Name request headers that the current answer, if there is one, depends on."""
    if exchange := current.get():
        exchange.vary.update(names)
