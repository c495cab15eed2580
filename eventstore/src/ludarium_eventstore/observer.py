"""Whoever wants to know how the store does is told while it works; times are seconds."""
from __future__ import annotations

from typing import Protocol

from ludarium_eventstore.model import Verdict


class Observer(Protocol):
    def appended(self, verdict: Verdict | None, took: float) -> None:
        """With its wait; None: there was none in time, or the rows were refused."""

    def sent(self, size: int, took: float) -> None:
        """A transaction of so many appends."""

    def refused(self) -> None:
        """Rows that PostgreSQL can never take."""

    def waited(self, took: float) -> None:
        """For a connection that reads."""


class NoObserver:
    def appended(self, verdict: Verdict | None, took: float) -> None:
        pass

    def sent(self, size: int, took: float) -> None:
        pass

    def refused(self) -> None:
        pass

    def waited(self, took: float) -> None:
        pass
