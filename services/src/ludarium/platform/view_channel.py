"""As whom somebody looks at a table, and what they want to be told of each event: one number, by which messages are known.

A seat, or -1 for spectators, is told the whole view. With CHANGES added it is told what has changed in the view. ROW is nobody:
under it other processes are given the row as it is stored, and nobody listens as it.
"""

from collections.abc import Sequence
from functools import cache

ROW = -5

CHANGES = 1000


def look(audience: int, *, changes: bool) -> int:
    return audience + CHANGES if changes else audience


@cache
def looks_at(seats: int) -> Sequence[int]:
    """All at a table with so many seats."""
    return tuple(look(audience, changes=changes) for changes in (False, True) for audience in range(-1, seats))


def wants_changes(look: int) -> bool:
    return look >= CHANGES - 1


def audience_of(look: int) -> int:
    return look - CHANGES if wants_changes(look) else look
