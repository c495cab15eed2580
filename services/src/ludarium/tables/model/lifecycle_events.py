"""The events of a table that change who takes part, and under which policies.

They also record absences, agreements and given time. `events` has all other events, and explains how stored events may
change.
"""
from __future__ import annotations

from typing import Literal

from ludarium.tables.model.events import TableEvent, Way
from ludarium.tables.model.policies import LatestPolicies, Policies, TablePolicies, shortened

Retreat = Literal["resigned", "timed_out"]
Question = Literal["draw", "takeback", "pause", "resume"]
Answer = Literal["asked", "agreed", "refused", "settled"]


class PoliciesSet(TableEvent, frozen=True):
    """The policies of the table have been set.

    This event follows the opening, and is repeated after each change.
    """

    policies: Policies


class AllPoliciesSet(PoliciesSet, frozen=True):
    """PoliciesSet with the policies of the second schema."""

    policies: TablePolicies


class LatestPoliciesSet(PoliciesSet, frozen=True):
    """PoliciesSet with the policies of the third schema."""

    policies: LatestPolicies


class HandedOver(TableEvent, frozen=True):
    """A player becomes the table's host."""

    player: str


class Reserved(TableEvent, frozen=True):
    """An empty seat is reserved for a player, or free again if there is none."""

    seat: int
    player: str | None


class Ready(TableEvent, frozen=True):
    """Whether a seat's player is ready to begin under the current policies."""

    seat: int
    on: bool


class Retired(TableEvent, frozen=True):
    """A seat is out of the game, which continues without its player.

    The seat is ranked below all that stay.
    """

    seat: int
    why: Retreat


class StoodIn(TableEvent, frozen=True):
    """A seat's player is absent.

    Attributes:
        by: what plays instead, a bot's name or `default`; None if nothing does.
    """

    seat: int
    by: str | None
    outage: int = 0


class Returned(TableEvent, frozen=True):
    """An absent player is back."""

    seat: int
    outage: int = 0


class Replaced(TableEvent, frozen=True):
    """Another player permanently takes over an absent player's seat.

    Attributes:
        way: how the new player joined, as in SeatedBy.
    """

    seat: int
    player: str
    way: Way | None = None
    outage: int = 0


class Consent(TableEvent, frozen=True):
    """A proposal to all other people at the table, or a seat's answer to it.

    The answer `settled` means that the last of them agrees.
    """

    seat: int
    question: Question
    answer: Answer
    outage: int = 0


class TimeGiven(TableEvent, frozen=True):
    """A seat gives time, above 0 seconds, to another seat's clock."""

    seat: int
    to: int
    seconds: int
    outage: int = 0


class TakenOver(TableEvent, frozen=True):
    """A guest's seat now belongs to the same person's account."""

    seat: int
    player: str


class Arrived(TableEvent, frozen=True):
    """A player has arrived at a tournament's table; once for each seat.

    They may not have acted yet.
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
