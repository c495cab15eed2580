"""Events of a tournament about time: pauses, autopilot and spectators' delay."""
from __future__ import annotations

import msgspec

AUTOPILOT = "autopilot"
"""`by` of the autopilot's events."""
ALL = 0
"""In place of a board: the whole tournament."""


class TournamentEvent(msgspec.Struct, array_like=True, frozen=True):
    """An event of a tournament's stream."""


class Paused(TournamentEvent, frozen=True):
    """Clocks pause, and scheduled times move. `board`: 0 for the whole tournament."""

    by: str
    stage: int
    round: int
    board: int
    text: bytes


class Resumed(TournamentEvent, frozen=True):
    """The end of a pause. `board`: as in Paused."""

    by: str
    stage: int
    round: int
    board: int


class TimeAdded(TournamentEvent, frozen=True):
    """An entry gets time, on its clock and until the end of the round.

    Attributes:
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
    """Whether the table of this board is featured."""

    by: str
    stage: int
    round: int
    board: int
    on: bool


class AutopilotSet(TournamentEvent, frozen=True):
    """The autopilot's settings.

    Attributes:
        rest: seconds from the end of a round until the next is drafted and published.
        settle: seconds from the end of the last table until the round is closed.
        why: the problem that has stopped it, empty if an official has set it.
    """

    by: str
    on: bool
    rest: int
    settle: int
    why: str


class DelaySet(TournamentEvent, frozen=True):
    """Delay of spectators at tables opened from now on; zeros: as in the plan."""

    by: str
    events: int
    seconds: int


TimeEvent = Paused | Resumed | TimeAdded | Featured | AutopilotSet | DelaySet
