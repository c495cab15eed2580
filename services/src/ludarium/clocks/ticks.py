"""What a row says of the clocks, so that their fold asks neither the game nor anybody's playing hours. A published format."""
from __future__ import annotations

import msgspec


class Begun(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A turn-based span that begins with the row, in milliseconds since 1970.

    Until `free` it costs nothing, from there on its seat's bank, evenly; at `deadline` that has run out.
    """

    seat: int
    free: int
    deadline: int


class Tick(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """owes: the seats that owe an answer after the row. In milliseconds, of the time before it: lag: credited to its seat for
    the way of its command; late: what others' rows were faster than it; away: credited to all who ran in an outage."""

    owes: list[int] = []
    lag: int = 0
    late: int = 0
    away: int = 0
    begun: list[Begun] = []
