"""Reports: what somebody tells the moderators of somebody else. Who told it is told to nobody but them."""

from datetime import timedelta
from typing import Literal
from uuid import UUID

import msgspec

from services import ids
from services.database import Database
from services.problems import Problem

MOST, WITHIN = 20, timedelta(days=1)
"""Reports of one player in so much time."""
LONGEST = 1000
Reason = Literal["insult", "threat", "spam", "cheating", "stalling", "rating-transfer", "name", "child-safety", "other"]

About = tuple[str | None, UUID | None, UUID | None]
"""The player, the table, the message."""


class Report(msgspec.Struct, frozen=True):
    """As who made it may see it. closed: whether a moderator has seen to it."""

    id: str
    reason: Reason
    player: str | None
    table: str | None
    message: str | None
    at: str
    closed: bool


async def report(
    pool: Database, made: UUID, reporter: str, reason: Reason, text: str | None,
    about: About,
) -> Report:  # fmt: skip
    """Once for each `made`. Raises Problem `too-many-reports`."""
    player, table, message = about
    row = await pool.row_one_at_a_time(
        ids.decode(reporter),
        """with recent as (select count(*) < $8 as is_room from accounts.reports
                           where reporter_id = $2 and at > now() - $9::interval),
                fresh as (insert into accounts.reports (id, reporter_id, reason, text, player_id, table_id, message_id)
                          select $1, $2, $3, $4, $5, $6, $7 from recent where is_room on conflict do nothing returning *)
           select * from fresh union all select * from accounts.reports where id = $1""",
        made, ids.decode(reporter), reason, text, None if player is None else ids.decode(player), table, message, MOST, WITHIN,
    )  # fmt: skip
    if row is None:
        raise Problem("too-many-reports", retry_after=round(WITHIN.total_seconds()))
    player_, table_, message_ = [row[name] and ids.encode(row[name]) for name in ("player_id", "table_id", "message_id")]
    closed = row["closed_at"] is not None
    return Report(ids.encode(row["id"]), row["reason"], player_, table_, message_, row["at"].isoformat(), closed)
