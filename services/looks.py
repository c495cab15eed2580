"""As whom somebody looks at a table, and what they want to be told of each event: one number, by which messages are known.

A seat, or -1 for spectators, is told the whole view. With CHANGES added it is told what has changed in the view. ROW is nobody:
under it other processes are given the row as it is stored, and nobody listens as it.
"""

ROW = -5

CHANGES = 1000


def look(audience: int, *, changes: bool) -> int:
    return audience + CHANGES if changes else audience


def wants_changes(look: int) -> bool:
    return look >= CHANGES - 1


def audience_of(look: int) -> int:
    return look - CHANGES if wants_changes(look) else look
