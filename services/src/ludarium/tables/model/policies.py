"""Policies of a table as events store them.

Spectators, joining, absence and others. A published format, like the events that contain it: changed fields need the
next schema number.

See docs/decisions/029.
"""
from __future__ import annotations

from typing import Literal

import msgspec

from ludarium.clocks.settings import Clock

Watchers = Literal["everybody", "delayed", "named", "nobody"]
Entrance = Literal["anybody", "link", "invited"]
Takeback = Literal["free", "consent", "none"]
UndoCause = Literal["not-playing", "nothing-done", "policy", "answered", "turn-passed", "chance", "learned"]
Talk = Literal["everybody", "players", "phrases", "nobody"]
Remedy = Literal["default", "bot", "forfeit", "claim"]
Order = Literal["chosen", "random"]

HOUR, DAY = 3600, 86_400


class Spectators(msgspec.Struct, array_like=True, frozen=True):
    """Policies for spectators.

    Attributes:
        events, seconds: delay for `delayed`, whichever is more.
        people: the players who may watch, for `named`.
        listed: whether others find the table in lists.
    """

    who: Watchers = "everybody"
    events: int = 0
    seconds: int = 0
    people: tuple[str, ...] = ()
    listed: bool = True

    @property
    def are_private(self) -> bool:
        """True if the table is invisible to others."""
        return self.who in ("named", "nobody")


class Absence(msgspec.Struct, array_like=True, frozen=True):
    """What happens to a seat whose player is away.

    Attributes:
        remedy: the title's default or a bot plays the seat, it is out of the game, or others may claim that.
        grace: seconds after which a game ends that all people have left.
    """

    remedy: Remedy = "default"
    bot: str | None = None
    grace: int = 300


class Policies(msgspec.Struct, array_like=True, frozen=True):
    """Policies of the first schema. `expires`: seconds that the table waits to begin.

    `clock`: of each seat.
    """

    spectators: Spectators = Spectators()
    join: Entrance = "anybody"
    undo: Takeback = "free"
    chat: Talk = "everybody"
    absence: Absence = Absence()
    clock: Clock | None = None
    rated: bool = False
    auto_start: bool = False
    expires: int = 7 * DAY


class TablePolicies(Policies, frozen=True):
    """Policies of the second schema.

    Attributes:
        order: whether seats stay as chosen, or are drawn at random when the game begins.
        substitutes: whether another player may take over the seat of an absent one, for good.
    """

    order: Order = "chosen"
    substitutes: bool = False


class LatestPolicies(TablePolicies, frozen=True):
    """Policies of the third schema.

    `branches`: whether seats may try variations at another table during the game.
    """

    branches: bool = False


def completed(policies: Policies) -> LatestPolicies:
    """Add the defaults of later schemas."""
    return LatestPolicies(*msgspec.structs.astuple(policies))


def shortened(policies: LatestPolicies) -> Policies:
    """Return the policies in the earliest schema that has all their values."""
    for kind in (Policies, TablePolicies):
        shorter = kind(*(getattr(policies, name) for name in kind.__struct_fields__))
        if completed(shorter) == policies:
            return shorter
    return policies
