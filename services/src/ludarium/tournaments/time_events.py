"""Of the rows of a tournament's stream (rows.py) those about time: what is paused, goes on by itself, is watched how late."""
from __future__ import annotations

import msgspec

AUTOPILOT = "autopilot"
"""`by` of what it does, for which there is no player."""
ALL = 0
"""In the place of a board: all of the tournament."""


class TournamentEvent(msgspec.Struct, array_like=True, frozen=True):
    """A row of a tournament's stream."""


class Paused(TournamentEvent, frozen=True):
    """Clocks stand still, and what is to happen at a time happens so much later. board: 0: all of the tournament."""

    by: str
    stage: int
    round: int
    board: int
    text: bytes


class Resumed(TournamentEvent, frozen=True):
    """What was paused goes on. board: as in Paused."""

    by: str
    stage: int
    round: int
    board: int


class TimeAdded(TournamentEvent, frozen=True):
    """An entry gets time: on its clock, if the table has clocks, and until the table's time is up, if it ever is.

    seconds: above 0.
    """

    by: str
    stage: int
    round: int
    board: int
    entry: int
    seconds: int
    text: bytes


class Featured(TournamentEvent, frozen=True):
    """Whether the table of this board is shown first to everybody."""

    by: str
    stage: int
    round: int
    board: int
    on: bool


class AutopilotSet(TournamentEvent, frozen=True):
    """on: rounds are drafted and published `rest` seconds after the one before, and closed `settle` seconds after the last of
    their tables is over. why: the problem for which it has stopped by itself; empty if somebody has set it."""

    by: str
    on: bool
    rest: int
    settle: int
    why: str


class DelaySet(TournamentEvent, frozen=True):
    """Of what spectators see of the tables that are opened from here on; nothing: as the plan says."""

    by: str
    events: int
    seconds: int


TimeEvent = Paused | Resumed | TimeAdded | Featured | AutopilotSet | DelaySet
