"""View channels, which combine an audience and a kind of update in one number.

The number of a seat, or -1 for spectators, means that this audience is sent whole views. With CHANGES added, the number
means that the audience is sent only the changes of views. ROW is not an audience; it stands for the event as stored,
which is sent to other processes.
"""

from collections.abc import Sequence
from functools import cache

ROW = -5

CHANGES = 1000


def look(audience: int, *, changes: bool) -> int:
    return audience + CHANGES if changes else audience


@cache
def looks_at(seats: int) -> Sequence[int]:
    """Return all view channels of a table with this number of seats."""
    return tuple(look(audience, changes=changes) for changes in (False, True) for audience in range(-1, seats))


def wants_changes(look: int) -> bool:
    return look >= CHANGES - 1


def audience_of(look: int) -> int:
    return look - CHANGES if wants_changes(look) else look
