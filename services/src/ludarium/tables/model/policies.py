"""What holds at a table, as its events keep it: who may watch and sit down, what becomes of a seat whose player is away.

A published format, like the events that hold it: other fields take an event of the next schema number.
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
    """who `delayed`: so many events and seconds late, whichever is more. people: the players who may watch, if it is `named`.

    listed: whether strangers find the table in lists.
    """

    who: Watchers = "everybody"
    events: int = 0
    seconds: int = 0
    people: tuple[str, ...] = ()
    listed: bool = True

    @property
    def are_private(self) -> bool:
        """Whether the table is not there for strangers."""
        return self.who in ("named", "nobody")


class Absence(msgspec.Struct, array_like=True, frozen=True):
    """What becomes of a seat whose player is away: the title's default or a bot plays it, it is out, or others may claim that.

    grace: seconds after which a game ends that the last person has left.
    """

    remedy: Remedy = "default"
    bot: str | None = None
    grace: int = 300


class Policies(msgspec.Struct, array_like=True, frozen=True):
    """expires: seconds for which the table waits to begin. clock: of each seat, if the table has one."""

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
    """With what came later. order: whether seats are as they were taken, or drawn by lot when the game begins.

    substitutes: whether a seat whose player is away may be taken over by somebody else, for good.
    """

    order: Order = "chosen"
    substitutes: bool = False


class LatestPolicies(TablePolicies, frozen=True):
    """With what came after that. branches: whether seats may try things out at a table beside it before it is over."""

    branches: bool = False


def completed(policies: Policies) -> LatestPolicies:
    """As events of an earlier schema mean it."""
    return LatestPolicies(*msgspec.structs.astuple(policies))


def shortened(policies: LatestPolicies) -> Policies:
    """As events of the earliest schema that can say it."""
    for kind in (Policies, TablePolicies):
        shorter = kind(*(getattr(policies, name) for name in kind.__struct_fields__))
        if completed(shorter) == policies:
            return shorter
    return policies
