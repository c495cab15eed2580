"""The events of a table that change who takes part, and under which policies.

Absences, agreements and given time are among them. `events` has all others, and says how stored events may change.
"""
from __future__ import annotations

from typing import Literal

from ludarium.tables.model.events import TableEvent, Way
from ludarium.tables.model.policies import LatestPolicies, Policies, TablePolicies, shortened

Retreat = Literal["resigned", "timed_out"]
Question = Literal["draw", "takeback", "pause", "resume"]
Answer = Literal["asked", "agreed", "refused", "settled"]


class PoliciesSet(TableEvent, frozen=True):
    """The table's policies from here on.

    Follows the opening, and is repeated after each change.
    """

    policies: Policies


class AllPoliciesSet(PoliciesSet, frozen=True):
    """PoliciesSet with the policies of the second schema."""

    policies: TablePolicies


class LatestPoliciesSet(PoliciesSet, frozen=True):
    """PoliciesSet with the policies of the third schema."""

    policies: LatestPolicies


class HandedOver(TableEvent, frozen=True):
    """The player becomes the table's host."""

    player: str


class Reserved(TableEvent, frozen=True):
    """An empty seat is reserved for this player, or free again if there is none."""

    seat: int
    player: str | None


class Ready(TableEvent, frozen=True):
    """Whether the seat's player is ready to begin under the current policies."""

    seat: int
    on: bool


class Retired(TableEvent, frozen=True):
    """A seat is out of the game, which continues without its player.

    It is ranked below all that stay.
    """

    seat: int
    why: Retreat


class StoodIn(TableEvent, frozen=True):
    """The seat's player is absent.

    `by`: what answers instead, a bot's name or `default`; None: nothing.
    """

    seat: int
    by: str | None
    outage: int = 0


class Returned(TableEvent, frozen=True):
    """The seat's player is back."""

    seat: int
    outage: int = 0


class Replaced(TableEvent, frozen=True):
    """Another player takes over an absent player's seat for good.

    `way`: as in SeatedBy.
    """

    seat: int
    player: str
    way: Way | None = None
    outage: int = 0


class Consent(TableEvent, frozen=True):
    """A question to all other people at the table, or a seat's answer.

    With `settled`, the last one agrees.
    """

    seat: int
    question: Question
    answer: Answer
    outage: int = 0


class TimeGiven(TableEvent, frozen=True):
    """A seat gives time to another seat's clock. `seconds`: above 0."""

    seat: int
    to: int
    seconds: int
    outage: int = 0


class TakenOver(TableEvent, frozen=True):
    """The seat's player from here on: the same person, with an account."""

    seat: int
    player: str


class Arrived(TableEvent, frozen=True):
    """The seat's player is at a tournament's table. Once for each seat.

    They may not have answered yet.
    """

    seat: int


def policies_event(policies: LatestPolicies) -> PoliciesSet:
    """Encode policies in the earliest schema that has all their fields.

    Older releases can then read them.
    """
    match shortened(policies):
        case LatestPolicies() as latest:
            return LatestPoliciesSet(latest)
        case TablePolicies() as longer:
            return AllPoliciesSet(longer)
        case earliest:
            return PoliciesSet(earliest)
