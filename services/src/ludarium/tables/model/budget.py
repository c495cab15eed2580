"""Limits of one change of a table.

Rules that exceed them are stopped, and change nothing. Rules are Python in this process, and only a signal interrupts
Python. So a timer of CPU time runs with them, and its signal raises OutOfTime. They work on a copy of the state, which
is discarded then. Garbage collection is off in the meantime: with thousands of tables it takes as long as the rules
may.
"""
from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from typing import Any, TypeVar

from ludarium_engine.kernel import Event, Offer, RulesError, State, Title, legal_offers, seats_to_act

SECONDS = 1.0
"""CPU time for the rules to decide a command."""
AGAIN = 0.1
"""CPU time until the signal is repeated; a callback of the garbage collector swallows exceptions."""
MOST_FACTS = 5_000
"""Facts in one event."""
LARGEST_EVENT = 256 * 1024
"""Bytes of an event in the log."""
MOST_PIECES = 20_000
"""Offers, with the pieces of their pools, in one seat's next choice."""
MOST_EVENTS = 20_000
"""Events of one table."""
T = TypeVar("T")


class Runaway(Exception):
    """The rules exceeded a limit."""


class OutOfTime(BaseException):
    """Raised by the timer. A rule's `except Exception` does not catch it."""


class Timer:
    """Timer of CPU time, for the main thread: Python handles signals only there."""

    def __init__(self) -> None:
        self.installed = self.running = False

    def start(self) -> None:
        if not self.installed:
            signal.signal(signal.SIGVTALRM, self.ran_out)
            self.installed = True
        gc.disable()
        self.running = True
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, AGAIN)

    def stop(self) -> None:
        self.running = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()

    def ran_out(self, *_: object) -> None:
        """Raise OutOfTime, unless the signal arrives after the rules have finished."""
        if self.running:
            raise OutOfTime


timer = Timer()


def within_budget(work: Callable[[], T]) -> T:
    """Return the result of `work` if it finishes in time. Raises Runaway."""
    try:
        try:
            timer.start()
            return work()
        finally:
            timer.stop()
    except OutOfTime as error:
        timer.stop()                            # the signal may have arrived once more before
        raise Runaway(f"more than {SECONDS} s") from error


def check(title: Title[Any, Any], after: State, event: Event) -> dict[int, list[Offer]]:
    """Return the choices after the event, by seat.

    Raises:
        Runaway: if the event or a choice is too large.
        RulesError: if a choice is empty.
    """
    if len(event.facts) > MOST_FACTS:
        raise Runaway(f"{len(event.facts)} facts in one event")
    choices = {seat: legal_offers(title, after, seat) for seat in seats_to_act(after)}
    for seat, offers in choices.items():
        if not offers:
            raise RulesError(f"seat {seat} is asked and offered nothing")
        pieces = sum(1 + len(offer.pool) for offer in offers)
        if pieces > MOST_PIECES:
            raise Runaway(f"{pieces} pieces on offer to seat {seat}")
    return choices
