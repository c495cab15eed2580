"""Policies of a table, as events store them.

Policies say, for example, who can watch and join the table, and what happens when a player is absent. Like the events
that contain them, they are a published format, so a change of their fields needs a new schema number.

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
        who: who can watch.
        events, seconds: the delay if `who` is `delayed`; the longer one counts.
        people: the players who can watch if `who` is `named`.
        listed: whether lists show the table to others.
    """

    who: Watchers = "everybody"
    events: int = 0
    seconds: int = 0
    people: tuple[str, ...] = ()
    listed: bool = True

    @property
    def are_private(self) -> bool:
        """True if the table is invisible to everyone who is not invited or named."""
        return self.who in ("named", "nobody")


class Absence(msgspec.Struct, array_like=True, frozen=True):
    """The policy for seats whose players are away.

    Attributes:
        remedy: `default`: the title's default action is played for the seat; `bot`: a bot plays the seat; `forfeit`: the
            seat is out of the game; `claim`: an opponent can take the seat out of the game.
        bot: the bot, if `remedy` is `bot`.
        grace: seconds until the game ends after all people have left.
    """

    remedy: Remedy = "default"
    bot: str | None = None
    grace: int = 300


class Policies(msgspec.Struct, array_like=True, frozen=True):
    """Policies of the first schema.

    Attributes:
        spectators: who can watch.
        join: who can take a seat.
        undo: whether commands can be undone freely, with consent, or not at all.
        chat: who can chat.
        absence: what happens when a player is away.
        clock: the settings of each seat's clock, None for games without clocks.
        rated: whether the result changes ratings.
        auto_start: whether the game starts as soon as all seats are taken and ready.
        expires: seconds after which the table is closed if the game has not started.
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
        order: whether players keep the seats they have chosen, or seats are drawn at random when the game starts.
        substitutes: whether another player may permanently take over the seat of an absent player.
    """

    order: Order = "chosen"
    substitutes: bool = False


class LatestPolicies(TablePolicies, frozen=True):
    """Policies of the third schema.

    Attributes:
        branches: whether players may try variations at another table while the game is running.
    """

    branches: bool = False


def completed(policies: Policies) -> LatestPolicies:
    """Convert policies to the latest schema, with defaults for the fields they lack."""
    return LatestPolicies(*msgspec.structs.astuple(policies))


def shortened(policies: LatestPolicies) -> Policies:
    """Return the policies in the earliest schema that can represent them."""
    for kind in (Policies, TablePolicies):
        shorter = kind(*(getattr(policies, name) for name in kind.__struct_fields__))
        if completed(shorter) == policies:
            return shorter
    return policies
