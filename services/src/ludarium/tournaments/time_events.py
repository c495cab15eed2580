"""Events of a tournament about time: pauses, autopilot and spectators' delay."""
from __future__ import annotations

import msgspec

AUTOPILOT = "autopilot"
"""The value of `by` in the autopilot's events."""
ALL = 0
"""The value of `board` for the whole tournament."""


class TournamentEvent(msgspec.Struct, array_like=True, frozen=True):
    """An event of a tournament's stream."""


class Paused(TournamentEvent, frozen=True):
    """The start of a pause; clocks stop, and scheduled times are postponed.

    `board` is 0 if the whole tournament is paused.
    """

    by: str
    stage: int
    round: int
    board: int
    text: bytes


class Resumed(TournamentEvent, frozen=True):
    """The end of a pause; `board` is 0 if the whole tournament was paused."""

    by: str
    stage: int
    round: int
    board: int


class TimeAdded(TournamentEvent, frozen=True):
    """Extra time for an entry, added to its clock and to the end of the round.

    Attributes:
        seconds: the extra time, above 0.
    """

    by: str
    stage: int
    round: int
    board: int
    entry: int
    seconds: int
    text: bytes


class Featured(TournamentEvent, frozen=True):
    """A change of whether a board's table is featured."""

    by: str
    stage: int
    round: int
    board: int
    on: bool


class AutopilotSet(TournamentEvent, frozen=True):
    """A change of the autopilot's settings.

    Attributes:
        rest: seconds from the end of a round until the next is drafted and published.
        settle: seconds from the end of the last table until the round is closed.
        why: the problem that has stopped the autopilot, empty if an official has set it.
    """

    by: str
    on: bool
    rest: int
    settle: int
    why: str


class DelaySet(TournamentEvent, frozen=True):
    """The spectators' delay at tables opened from now on.

    If both values are 0, the plan's delay applies.
    """

    by: str
    events: int
    seconds: int


TimeEvent = Paused | Resumed | TimeAdded | Featured | AutopilotSet | DelaySet
