"""Clock data of events, so that the clocks can be folded without the game's rules.

This is a published format.
"""
from __future__ import annotations

import msgspec


class Begun(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A turn-based span that begins with an event.

    Attributes:
        seat: the seat that has to act.
        free: until this instant, the span costs nothing; in milliseconds since 1970.
        deadline: from `free` to this instant, the span uses up the seat's bank evenly; in milliseconds since 1970.
    """

    seat: int
    free: int
    deadline: int


class Tick(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Clock data of an event, in milliseconds, about the time before it.

    Attributes:
        owes: the seats that have to act after the event.
        lag: the latency credited to the acting seat.
        late: the time by which other commands delayed the event's command.
        away: the outage credited to all running clocks.
        begun: the turn-based spans that begin with the event.
    """

    owes: list[int] = []
    lag: int = 0
    late: int = 0
    away: int = 0
    begun: list[Begun] = []
