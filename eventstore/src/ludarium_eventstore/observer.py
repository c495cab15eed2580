"""Define how the store reports its work, for metrics.

All durations are in seconds.
"""
from __future__ import annotations

from typing import Protocol

from ludarium_eventstore.model import Verdict


class Observer(Protocol):
    def appended(self, verdict: Verdict | None, took: float) -> None:
        """Record an append with its duration.

        `verdict` is None if the append failed or had no response.
        """

    def sent(self, size: int, took: float) -> None:
        """Record a transaction with its number of appends."""

    def refused(self) -> None:
        """Record an append that PostgreSQL can never accept."""

    def waited(self, took: float) -> None:
        """Record the time spent waiting for a connection for reading."""


class NoObserver:
    def appended(self, verdict: Verdict | None, took: float) -> None:
        pass

    def sent(self, size: int, took: float) -> None:
        pass

    def refused(self) -> None:
        pass

    def waited(self, took: float) -> None:
        pass
