"""Reports: what somebody tells the moderators of somebody else. Who told it is told to nobody but them."""

from datetime import timedelta
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

MOST, WITHIN = 20, timedelta(days=1)
"""Reports of one player in so much time."""
LONGEST = 1000
Reason = Literal["insult", "threat", "spam", "cheating", "stalling", "rating-transfer", "name", "child-safety", "other"]


class About(NamedTuple):
    """What a report is about. listed_name: that a host of the tournament has given the player."""

    player: str | None = None
    table: UUID | None = None
    message: UUID | None = None
    tournament: UUID | None = None
    listed_name: str | None = None



class Report(msgspec.Struct, frozen=True):
    """As who made it may see it. closed: whether a moderator has seen to it."""

    id: str
    reason: Reason
    player: str | None
    table: str | None
    message: str | None
    tournament: str | None
    at: str
    closed: bool


async def report(
    pool: Database, made: UUID, reporter: str, reason: Reason, text: str | None,
    about: About,
) -> Report:  # fmt: skip
    """Once for each `made`. Raises Problem `too-many-reports`."""
    row = await pool.row_one_at_a_time(
        ids.decode(reporter),
        """with recent as (select count(*) < $8 as is_room from accounts.reports
                           where reporter_id = $2 and at > now() - $9::interval),
                fresh as (insert into accounts.reports (id, reporter_id, reason, text, player_id, table_id, message_id,
                                                        tournament_id, listed_name)
                          select $1, $2, $3, $4, $5, $6, $7, $10, $11 from recent where is_room
                          on conflict do nothing returning *)
           select * from fresh union all select * from accounts.reports where id = $1""",
        made, ids.decode(reporter), reason, text, about.player and ids.decode(about.player), about.table,
        about.message, MOST, WITHIN, about.tournament, about.listed_name,
    )  # fmt: skip
    if row is None:
        raise Problem("too-many-reports", retry_after=round(WITHIN.total_seconds()))
    player, table, message, tournament = [
        row[name] and ids.encode(row[name]) for name in ("player_id", "table_id", "message_id", "tournament_id")
    ]
    closed = row["closed_at"] is not None
    return Report(ids.encode(row["id"]), row["reason"], player, table, message, tournament, row["at"].isoformat(), closed)
