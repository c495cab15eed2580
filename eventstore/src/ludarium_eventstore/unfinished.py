"""Measure the age of unfinished operations.

Histograms of finished operations do not show an operation that never ends.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from ludarium_eventstore.model import StoreUnavailable
from ludarium_eventstore.reconnect import DOWN

UNANSWERED = (*DOWN, StoreUnavailable)
FORGET = 60.0
"""Seconds after which a failure no longer counts, if there was no new attempt since."""


class Unfinished:
    """A measure of the oldest operation of one kind that has not yet succeeded.

    An operation without a response from PostgreSQL counts from its start until a later operation succeeds, so that retries do
    not reset the age. An error response from PostgreSQL counts as success.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began: dict[object, float] = {}
        self._failing: float | None = None
        self._failed = 0.0

    @contextmanager
    def operation(self, *, before: float = 0.0) -> Iterator[None]:
        """Measure one operation, which runs within the context.

        Args:
            before: seconds for which the operation has already waited.
        """
        self._forget()
        operation, began = object(), self._clock() - before
        self._began[operation] = began
        try:
            yield
        except UNANSWERED:
            self._failing = began if self._failing is None else min(self._failing, began)
            self._failed = self._clock()
            raise
        except Exception:
            self._failing = None
            raise
        else:
            self._failing = None
        finally:
            del self._began[operation]

    def recovered(self) -> None:
        """Forget earlier failures, because a probe has succeeded."""
        self._failing = None

    def progressed(self) -> None:
        """Reset the ages of all operations in progress, because one has completed a step."""
        now = self._clock()
        self._began = dict.fromkeys(self._began, now)
        self._failing = None

    def age(self) -> float:
        """Return the seconds since the oldest operation began, 0 if there is none."""
        self._forget()
        failing = () if self._failing is None else (self._failing,)
        now = self._clock()
        return max(0.0, now - min((*self._began.values(), *failing), default=now))

    def _forget(self) -> None:
        if self._failing is not None and not self._began and self._clock() - self._failed > FORGET:
            self._failing = None
