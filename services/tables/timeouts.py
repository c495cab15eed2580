"""What falls due at a table: a seat's time is out, and a second later what follows from that. Pure."""
from __future__ import annotations

from datetime import datetime

from engine.kernel import decide
from engine.kernel.contract import asking_row
from engine.kernel.scripts import Sealed
from services.tables import budget
from services.tables.decisions import rows_of, ruled
from services.tables.history import History
from services.tables.rows import AnyRow, SeedsRevealed, TableEnded, TimedOut
from services.tables.timing import ms


def due(history: History, now: datetime, away: int) -> list[AnyRow]:
    """The rows of what is first due by now; nothing if nothing is. away: milliseconds, not yet credited, of an outage."""
    clocks = history.clocks
    if clocks is None or clocks.next is None or clocks.next[0] + away > ms(now):
        return []
    seat = clocks.next[1]
    return settled(history, seat) if clocks.seats[seat].out else [TimedOut(seat, clocks.seats[seat].since)]


def settled(history: History, seat: int) -> list[AnyRow]:
    """What follows from a time-out: a window is passed, anything else ends the game."""
    return passed(history, seat) or lost(history, seat)


def passed(history: History, seat: int) -> list[AnyRow]:
    """The answer of a seat that does not care, where the question has one."""
    state = history.playing
    row = asking_row(history.title, state.agenda[-1])
    answer = row.passed if isinstance(row, Sealed) else None
    if answer is None:
        return []

    def work() -> list[AnyRow]:
        after, event = decide(history.title, state, seat, answer, history.chance)
        budget.check(history.title, after, event)
        return rows_of(history, after, event)

    return ruled(history, work)


def lost(history: History, seat: int) -> list[AnyRow]:
    """The seat is last; all others share the first place."""
    seats = history.opened.seats
    end = TableEnded("timed_out", [seats if p == seat else 1 for p in range(seats)])
    return [end] if history.opened.deal.stream else [end, SeedsRevealed(*history.secret.seeds)]
