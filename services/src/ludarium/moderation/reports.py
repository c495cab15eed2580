"""Reports of players to the moderators, who alone see the reporter."""

from datetime import timedelta
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

MAX_REPORTS, PERIOD = 20, timedelta(days=1)
"""How many reports a player can make in PERIOD."""
MAX_TEXT_LENGTH = 1000
Reason = Literal["insult", "threat", "spam", "cheating", "stalling", "rating-transfer", "name", "child-safety", "other"]


class ReportSubject(NamedTuple):
    """The subject of a report.

    `listed_name` is the name that a host has given the player in the tournament.
    """

    player: str | None = None
    table: UUID | None = None
    message: UUID | None = None
    tournament: UUID | None = None
    listed_name: str | None = None



class Report(msgspec.Struct, frozen=True):
    """A report as its reporter sees it.

    `closed` means that a moderator has processed it.
    """

    id: str
    reason: Reason
    player: str | None
    table: str | None
    message: str | None
    tournament: str | None
    at: str
    closed: bool


async def create_report(
    database: Database, report_id: UUID, reporter: str, reason: Reason, text: str | None,
    subject: ReportSubject,
) -> Report:  # fmt: skip
    """Store a report and return it; a repeated `report_id` changes nothing.

    Raises:
        Problem: `too-many-reports`.
    """
    row = await database.row_one_at_a_time(
        ids.decode(reporter),
        """with recent as (select count(*) < $8 as is_room from accounts.reports
                           where reporter_id = $2 and at > now() - $9::interval),
                fresh as (insert into accounts.reports (id, reporter_id, reason, text, player_id, table_id, message_id,
                                                        tournament_id, listed_name)
                          select $1, $2, $3, $4, $5, $6, $7, $10, $11 from recent where is_room
                          on conflict do nothing returning *)
           select * from fresh union all select * from accounts.reports where id = $1""",
        report_id, ids.decode(reporter), reason, text, subject.player and ids.decode(subject.player), subject.table,
        subject.message, MAX_REPORTS, PERIOD, subject.tournament, subject.listed_name,
    )  # fmt: skip
    if row is None:
        raise Problem("too-many-reports", retry_after=round(PERIOD.total_seconds()))
    player, table, message, tournament = [
        row[name] and ids.encode(row[name]) for name in ("player_id", "table_id", "message_id", "tournament_id")
    ]
    closed = row["closed_at"] is not None
    return Report(ids.encode(row["id"]), row["reason"], player, table, message, tournament, row["at"].isoformat(), closed)
