"""What one change of a table may cost. Rules that run away are stopped, and what they were deciding never happened.

Rules are Python in this process, and nothing but a signal interrupts Python. So a timer of CPU time runs while they do,
and its signal raises OutOfTime wherever they are: they work on a copy of the state, which is thrown away. The collector of
garbage waits until they are done: with thousands of tables it takes as long as they may, and would be their undoing.
"""
from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from typing import Any, TypeVar

from ludarium_engine.kernel import Event, Offer, RulesError, State, Title, legal_offers, seats_to_act

SECONDS = 1.0
"""Of CPU, for the rules to decide one command."""
AGAIN = 0.1
"""Of CPU, until rules that go on are told once more: what a collector of garbage calls swallows every exception."""
MOST_FACTS = 5_000
"""Of one event."""
LARGEST_EVENT = 256 * 1024
"""Bytes of an event in the log."""
MOST_PIECES = 20_000
"""Offers, and pieces of their pools, that the next choice may have for one seat."""
MOST_EVENTS = 20_000
"""Of one table."""
T = TypeVar("T")


class Runaway(Exception):
    """Rules took more than a command may cost."""


class OutOfTime(BaseException):
    """Raised by the timer; no `except Exception` of a rule holds it up."""


class Timer:
    """Of this process, for its main thread: the only one in which Python takes signals."""

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
        """A signal that comes when the rules are done finds nobody running."""
        if self.running:
            raise OutOfTime


timer = Timer()


def within_budget(work: Callable[[], T]) -> T:
    """What `work` gives, if it is done in time. Raises RanAway."""
    try:
        try:
            timer.start()
            return work()
        finally:
            timer.stop()
    except OutOfTime as error:
        timer.stop()                            # it may have rung once more before it was stopped
        raise Runaway(f"more than {SECONDS} s") from error


def check(title: Title[Any, Any], after: State, event: Event) -> dict[int, list[Offer]]:
    """The choices that the event leads to, by seat. Raises RanAway if it or one is too large, RulesError if one is empty."""
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
