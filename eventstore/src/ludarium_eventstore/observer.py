"""Observer of the store's work, for metrics. Times are in seconds."""
from __future__ import annotations

from typing import Protocol

from ludarium_eventstore.model import Verdict


class Observer(Protocol):
    def appended(self, verdict: Verdict | None, took: float) -> None:
        """Called after each append with its time.

        Verdict is None if it failed or had no answer.
        """

    def sent(self, size: int, took: float) -> None:
        """Called after each transaction, with its number of appends."""

    def refused(self) -> None:
        """Called for an append that PostgreSQL can never take."""

    def waited(self, took: float) -> None:
        """Called with the time spent waiting for a connection to read with."""


class NoObserver:
    def appended(self, verdict: Verdict | None, took: float) -> None:
        pass

    def sent(self, size: int, took: float) -> None:
        pass

    def refused(self) -> None:
        pass

    def waited(self, took: float) -> None:
        pass
