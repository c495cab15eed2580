"""Schemas of notices."""
from __future__ import annotations

from typing import Literal

import msgspec

NoticeKind = Literal[
    "your_turn", "clock_low", "invited", "reserved", "seated", "full", "started", "proposal", "substitute", "ended", "chat",
    "round", "check_in", "ruling",
]  # fmt: skip
"""What waits for the player."""


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
