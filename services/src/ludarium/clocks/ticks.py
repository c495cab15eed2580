"""What an event says of the clocks, so that folding them needs neither the game nor playing hours. A published format."""
from __future__ import annotations

import msgspec


class Begun(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A turn-based span that begins with the event, in milliseconds since 1970.

    Until `free` it costs nothing, from there on its seat's bank, evenly; at `deadline` that has run out.
    """

    seat: int
    free: int
    deadline: int


class Tick(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """owes: the seats that owe an answer after the event. In milliseconds, of the time before it: lag: credited to its seat for
    the way of its command; late: what others' events were faster than it; away: credited to all who ran in an outage."""

    owes: list[int] = []
    lag: int = 0
    late: int = 0
    away: int = 0
    begun: list[Begun] = []
