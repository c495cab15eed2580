"""Schemas of notices."""
from __future__ import annotations

from typing import Literal

import msgspec

NoticeKind = Literal["your_turn", "invited", "proposal", "ruling"]
"""What waits for the player."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for the caller. Fields that do not apply to its kind are null.

    - `id`: the same on all devices, and in the messages of `/me/stream`.
    - `kind`: `your_turn`, `invited` to a table by name, a `proposal` to answer, or a `ruling` about the caller.
    - `at`: RFC 3339; since when it waits.
    - `read`: whether the caller has read it, on any device.
    - `table`, `tournament`, `seat`: where; `seat` is the caller's, null without one.
    - `seq`: the event of the table that it is about.
    - `by`: the id of the player who caused it. Moderators are not named.
    - `question`: what is proposed.
    - `until`: RFC 3339; when the time is over, an invitation expires, or a sanction ends.
    - `verdict`, `reason`: what was ruled, such as `mute`, and why.
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


class NoticePage(msgspec.Struct, frozen=True):
    """Notices, the newest first.

    `unread`: how many of all notices are not read. `next`: the `after` of the next page; null on the last one.
    """

    notices: list[Notice]
    unread: int
    next: str | None
