"""Limit the time and size of each change of a table.

Rules that exceed a limit are stopped, and the table does not change. The rules are Python code in this process, which
only a signal can interrupt. A timer of CPU time therefore runs with the rules, and its signal raises OutOfTime. The
rules work on a copy of the state, which is then discarded. Garbage collection is off while rules run, because with
thousands of tables one collection can take as long as the rules are allowed to.
"""
from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from typing import Any, TypeVar

from ludarium_engine.kernel import Event, Offer, RulesError, State, Title, legal_offers, seats_to_act

SECONDS = 1.0
"""Maximum CPU time in which the rules must decide a command."""
AGAIN = 0.1
"""CPU seconds until the signal is repeated, because a callback of the garbage collector may swallow the exception."""
MOST_FACTS = 5_000
"""Maximum number of facts in one event."""
LARGEST_EVENT = 256 * 1024
"""Maximum bytes of an event in the log."""
MOST_PIECES = 20_000
"""Maximum number of offers in a seat's next choice, including the pieces in the offers' pools."""
MOST_EVENTS = 20_000
"""Maximum number of events of one table."""
T = TypeVar("T")


class Runaway(Exception):
    """The rules exceeded a limit."""


class OutOfTime(BaseException):
    """Raised by the timer. An `except Exception` in the rules does not catch it."""


class Timer:
    """A timer of CPU time for the main thread, since Python handles signals there."""

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
    """Check the result of a command, and return the offers after it by seat.

    Raises:
        Runaway: the event or a choice is too large.
        RulesError: a seat has to act, but has no offers.
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
