"""Schemas of notices."""
from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ludarium.platform import ids

NoticeKind = Literal[
    "your_turn", "clock_low", "invited", "reserved", "seated", "full", "started", "proposal", "substitute", "ended", "chat",
    "round", "check_in", "ruling",
]  # fmt: skip
"""What waits for the player."""
OptionalKind = Literal[
    "your_turn", "clock_low", "invited", "reserved", "seated", "full", "started", "proposal", "substitute", "ended", "chat",
    "round", "check_in",
]  # fmt: skip
"""Kinds that a player can switch off: all but rulings."""
MAX_MUTED = 100
"""Maximum number of muted tables, and likewise of muted people."""
Id = Annotated[str, Meta(pattern=ids.PATTERN)]


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice: something that waits for the caller.

    Fields that do not apply to its kind are null.

    - `id` is the same on all devices, and in the messages of `/me/stream`.
    - `kind` says what waits. Ignore kinds that you do not know.
    - `at` is since when it waits, in RFC 3339.
    - `read` says whether the caller has read it on any device.
    - `table`, `tournament` and `seat` say where it is. `seat` is the caller's seat; null without one.
    - `seq` is the event of the table that it is about.
    - `by` is the id of the player who caused it. Moderators are not named.
    - `question` is the question of a proposal.
    - `until`, in RFC 3339, is when the time is up, an invitation expires, or a sanction ends.
    - `verdict` is what was ruled, such as `mute` or `places`, and `reason` is why.
    - `count` is the number of unread chat messages.
    - `stage`, `round` and `board` say where it is in the tournament. `board` is null for a bye.
    """

    id: str
    kind: NoticeKind
    at: str
    read: bool
    table: str | None = None
    tournament: str | None = None
    ruleset: str | None = None
    seat: int | None = None
    seq: int | None = None
    by: str | None = None
    question: str | None = None
    until: str | None = None
    verdict: str | None = None
    reason: str | None = None
    count: int | None = None
    stage: int | None = None
    round: int | None = None
    board: int | None = None


class NoticePage(msgspec.Struct, frozen=True):
    """A page of notices, the newest first.

    `unread` is the number of all unread notices. `next` is the `after` of the next page; null on the last page.
    """

    notices: list[Notice]
    unread: int
    next: str | None


class NoticePreferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notices that the caller has switched off.

    They are not listed, counted or pushed.

    - `kinds` are kinds that are switched off. Rulings cannot be switched off.
    - `tables` are muted tables.
    - `people` are muted players. What they do causes no notice; their messages and proposals still appear at the table.
    """

    kinds: Annotated[list[OptionalKind], Meta(max_length=20)] = []
    tables: Annotated[list[Id], Meta(max_length=MAX_MUTED)] = []
    people: Annotated[list[Id], Meta(max_length=MAX_MUTED)] = []

    def allow(self, notice: Notice) -> bool:
        """Return whether the player wants this notice."""
        if notice.kind == "ruling":
            return True
        return notice.kind not in self.kinds and notice.table not in self.tables and notice.by not in self.people
