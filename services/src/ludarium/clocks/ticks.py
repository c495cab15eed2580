"""What an event says about the clocks, so that folding needs no rules.

A published format.
"""
from __future__ import annotations

import msgspec


class Begun(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A turn-based span that begins with the event, in milliseconds since 1970.

    Until `free` it costs nothing. From then on it uses up its seat's bank evenly, which is empty at `deadline`.
    """

    seat: int
    free: int
    deadline: int


class Tick(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """Clock data of an event, in milliseconds, about the time before it.

    Attributes:
        owes: the seats that owe an answer after the event.
        lag: latency credited to the event's seat.
        late: time by which other commands overtook the event's command.
        away: outage credited to all running clocks.
        begun: turn-based spans that begin.
    """

    owes: list[int] = []
    lag: int = 0
    late: int = 0
    away: int = 0
    begun: list[Begun] = []
