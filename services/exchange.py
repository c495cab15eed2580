"""The request that is being answered: its id, which its log lines have too, and what its answer says of it."""

import logging
from contextvars import ContextVar

import msgspec


class Exchange(msgspec.Struct):
    """headers: of the answer, whoever gives it."""

    id: str
    headers: dict[str, str]


current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


def tell(headers: dict[str, str]) -> None:
    """Adds to the headers of the answer under way, if there is one."""
    if exchange := current.get():
        exchange.headers |= headers


def named(record: logging.LogRecord) -> bool:
    """A filter that lets everything pass: `%(request)s` is the id of the request that a line is about, in brackets."""
    exchange = current.get()
    record.request = f" [{exchange.id}]" if exchange else ""
    return True
