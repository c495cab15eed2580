"""Whether what PostgreSQL has committed would outlive the loss of the primary, where standbys are synchronous.

A commit waits for its standbys. When that wait is cancelled (by an administrator, a pooler, or a driver whose time is over)
the transaction stays committed on the primary alone, is visible, and is lost if that primary is. PostgreSQL then sends a
warning in place of an error, or nothing at all where the connection ends. So what is found after a lost answer counts only
once a later commit of our own has come through: standbys flush the log in order.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
SYNC_COMMIT = "select pg_logical_emit_message(true, 'ludarium', '')"
"""The smallest transaction that writes to PostgreSQL's log, and so waits for standbys; an id alone would not."""


class NotReplicated(OSError):
    """A wait for synchronous standbys was cancelled: as good as no answer."""


async def replicated(connection: Any, ask: Callable[[Any], Awaitable[T]]) -> T:
    """Ask, and return the answer unless PostgreSQL warned that its commit did not wait. Raises NotReplicated."""
    with collect_warnings(connection) as warnings:
        answer = await ask(connection)
    if warnings:
        raise NotReplicated(warnings[0])
    return answer


class WatchedConnection:
    """A connection of one's own that is listened to from its beginning: a listener for each statement costs 3 µs more."""

    def __init__(self, connection: Any) -> None:
        self._warnings: list[str] = []
        connection.add_log_listener(self._on_message)

    async def replicated(self, asked: Awaitable[T]) -> T:
        """As `replicated`, for one statement at a time."""
        self._warnings.clear()
        answer = await asked
        if self._warnings:
            raise NotReplicated(self._warnings[0])
        return answer

    def _on_message(self, _: Any, message: Any) -> None:
        if message.severity_en == "WARNING":
            self._warnings.append(message.message)


async def confirm(connection: Any) -> None:
    """Return once all that was visible on this connection is as durable as a commit. Raises NotReplicated."""
    await replicated(connection, lambda connection: connection.execute(SYNC_COMMIT))


@contextmanager
def collect_warnings(connection: Any) -> Iterator[list[str]]:
    """Collect the warnings that PostgreSQL sends meanwhile."""
    warnings: list[str] = []

    def heard(_: Any, message: Any) -> None:
        if message.severity_en == "WARNING":
            warnings.append(message.message)

    connection.add_log_listener(heard)
    try:
        yield warnings
    finally:
        connection.remove_log_listener(heard)
