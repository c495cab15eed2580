"""The request that is being answered, or the socket that is being served: its id, which its log lines have too."""

import secrets
from contextvars import ContextVar

import msgspec


class Exchange(msgspec.Struct):
    """headers: of the answer, whoever gives it."""

    id: str
    headers: dict[str, str] = {}


current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def new_id() -> str:
    return secrets.token_hex(8)


def tell(headers: dict[str, str]) -> None:
    """Adds to the headers of the answer under way, if there is one."""
    if exchange := current.get():
        exchange.headers |= headers
