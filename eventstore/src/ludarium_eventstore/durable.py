"""Check that commits survive the loss of the primary, with synchronous standbys.

A commit waits for its standbys. If that wait is cancelled (by an administrator, a pooler or a driver's timeout), the
transaction remains committed on the primary alone: visible, but lost if the primary is lost. PostgreSQL then sends a warning
instead of an error, or nothing at all if the connection ends. After a lost response, rows that are found in the log therefore
count only once a later commit has succeeded, because standbys flush the log in order. See docs/decisions/103.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
SYNC_COMMIT = "select pg_logical_emit_message(true, 'ludarium', '')"
"""The smallest transaction that writes to the WAL, and so waits for standbys; a transaction id alone would not wait."""


class NotReplicated(OSError):
    """A wait for synchronous standbys was cancelled, so the commit may be lost.

    It is treated like a lost response.
    """


async def replicated(connection: Any, ask: Callable[[Any], Awaitable[T]]) -> T:
    """Run a query and return its result, provided its commit was replicated.

    Raises:
        NotReplicated: PostgreSQL warned that the commit did not wait for standbys.
    """
    with collect_warnings(connection) as warnings:
        answer = await ask(connection)
    if warnings:
        raise NotReplicated(warnings[0])
    return answer


class WatchedConnection:
    """A connection, used by a single task, whose warnings are collected.

    Adding a listener for each statement would cost 3 µs more.
    """

    def __init__(self, connection: Any) -> None:
        self._warnings: list[str] = []
        connection.add_log_listener(self._on_message)

    async def replicated(self, asked: Awaitable[T]) -> T:
        """Run one statement like the function `replicated`.

        Only one statement may run at a time.
        """
        self._warnings.clear()
        answer = await asked
        if self._warnings:
            raise NotReplicated(self._warnings[0])
        return answer

    def _on_message(self, _: Any, message: Any) -> None:
        if message.severity_en == "WARNING":
            self._warnings.append(message.message)


async def confirm(connection: Any) -> None:
    """Wait until everything that was visible on this connection is durable.

    Raises:
        NotReplicated: PostgreSQL warned that the commit did not wait for standbys.
    """
    await replicated(connection, lambda connection: connection.execute(SYNC_COMMIT))


@contextmanager
def collect_warnings(connection: Any) -> Iterator[list[str]]:
    """Collect PostgreSQL's warnings within the context."""
    warnings: list[str] = []

    def heard(_: Any, message: Any) -> None:
        if message.severity_en == "WARNING":
            warnings.append(message.message)

    connection.add_log_listener(heard)
    try:
        yield warnings
    finally:
        connection.remove_log_listener(heard)
