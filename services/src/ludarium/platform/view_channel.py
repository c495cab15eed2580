"""View channels: an audience and whether it is sent changes, as one number.

A seat, or -1 for spectators, is sent views. With CHANGES added it is sent the changes of views. ROW is not an audience:
it has the event as stored, for other processes.
"""

from collections.abc import Sequence
from functools import cache

ROW = -5

CHANGES = 1000


def look(audience: int, *, changes: bool) -> int:
    return audience + CHANGES if changes else audience


@cache
def looks_at(seats: int) -> Sequence[int]:
    """Return all view channels of a table with so many seats."""
    return tuple(look(audience, changes=changes) for changes in (False, True) for audience in range(-1, seats))


def wants_changes(look: int) -> bool:
    return look >= CHANGES - 1


def audience_of(look: int) -> int:
    return look - CHANGES if wants_changes(look) else look
