"""The request that is being answered, or the socket that is being served: its id, which its log lines have too."""

import re
import secrets
from contextvars import ContextVar

import msgspec

GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""A proxy's own request id, if it has one. Anybody may send one: it names lines of a log and decides nothing."""


class Exchange(msgspec.Struct):
    """headers: of the answer, whoever gives it. vary: names of the request headers that the answer depends on."""

    id: str
    headers: dict[str, str] = {}
    vary: set[str] = set()


current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def new_id() -> str:
    return secrets.token_hex(8)


def tell(headers: dict[str, str]) -> None:
    """Adds to the headers of the answer under way, if there is one."""
    if exchange := current.get():
        exchange.headers |= headers


def vary(*names: str) -> None:
    """Say that the answer under way, if there is one, depends on these request headers."""
    if exchange := current.get():
        exchange.vary.update(names)
