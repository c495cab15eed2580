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
    """Something that waits for the caller. Fields that do not apply to its kind are null.

    - `id`: the same on all devices, and in the messages of `/me/stream`.
    - `kind`: what waits. Kinds that you do not know may come.
    - `at`: RFC 3339; since when it waits.
    - `read`: whether the caller has read it, on any device.
    - `table`, `tournament`, `seat`: where; `seat` is the caller's, null without one.
    - `seq`: the event of the table that it is about.
    - `by`: the id of the player who caused it. Moderators are not named.
    - `question`: what is proposed.
    - `until`: RFC 3339; when the time is over, an invitation expires, or a sanction ends.
    - `verdict`, `reason`: what was ruled, such as `mute` or `places`, and why.
    - `count`: how many messages in the chat are not read.
    - `stage`, `round`, `board`: where in the tournament; `board` is null for a bye.
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
    """Notices, the newest first.

    `unread`: how many of all notices are not read. `next`: the `after` of the next page; null on the last one.
    """

    notices: list[Notice]
    unread: int
    next: str | None


class NoticePreferences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Notices that the caller does not want. They are neither listed nor counted nor pushed.

    - `kinds`: kinds that are switched off. Rulings cannot be.
    - `tables`: muted tables.
    - `people`: muted players. What they cause is no notice; their messages and proposals stay at the table.
    """

    kinds: Annotated[list[OptionalKind], Meta(max_length=20)] = []
    tables: Annotated[list[Id], Meta(max_length=MAX_MUTED)] = []
    people: Annotated[list[Id], Meta(max_length=MAX_MUTED)] = []

    def allow(self, notice: Notice) -> bool:
        """Return whether the player wants this notice."""
        if notice.kind == "ruling":
            return True
        return notice.kind not in self.kinds and notice.table not in self.tables and notice.by not in self.people
