"""Searches for moderators: players and reports."""

from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg
import msgspec

from ludarium.accounts.access import Role
from ludarium.accounts.logins import normalised_login
from ludarium.moderation.acts import PAGE_SIZE
from ludarium.platform import ids
from ludarium.platform.database import Database

COLUMNS = """p.id, p.name, p.kind, p.role, p.owner_id, p.created_at, l.name as login,
    (select until from accounts.sanctions s where s.player_id = p.id and s.kind = 'ban' and until > now()) as banned_until,
    (select until from accounts.sanctions s where s.player_id = p.id and s.kind = 'mute' and until > now()) as muted_until"""
SELECT_PLAYERS = f"select {COLUMNS} from accounts.players p left join accounts.logins l on l.player_id = p.id"


class FoundPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player as moderators see them, without e-mail address and network."""

    id: str
    name: str
    kind: Literal["guest", "account", "bot"]
    role: Role
    owner: str | None
    login: str | None
    created_at: datetime
    banned_until: datetime | None
    muted_until: datetime | None


class ReceivedReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report as moderators see it.

    - `tournament` is set if the report is about the name `said` under which a host lists the player.
    - `said` is that name, or the reported message, comment or title, as long as it is stored.
    - `writing` is the id of the reported comment or study.
    - `reporter` is visible only to moderators.
    """

    id: str
    reporter: str
    player: str | None
    table: str | None
    reason: str
    text: str | None
    said: str | None
    writing: str | None
    tournament: str | None
    at: datetime
    closed_at: datetime | None


class PlayerLookup:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, text: str) -> list[FoundPlayer]:
        """Return players by id, owner's id, or the beginning of a login or name.

        Newest players come first.
        """
        if ids.is_id(text):
            rows = await self._database.rows(f"{SELECT_PLAYERS} where p.id = $1 or p.owner_id = $1", ids.decode(text))
        else:
            rows = await self._database.rows(
                f"""{SELECT_PLAYERS} where starts_with(l.name, $1) or starts_with(lower(p.name), lower($2))
                    order by p.created_at desc limit $3""",
                normalised_login(text), text, PAGE_SIZE,
            )  # fmt: skip
        return [player_from_row(row) for row in rows]

    async def reports(self, closed: bool, after: str | None) -> list[ReceivedReport]:
        """Return a page of open or closed reports, newest first."""
        rows = await self._database.rows(
            """select r.*, coalesce(r.listed_name, m.text, m.phrase, c.text, v.title) as said,
                      case when c.id is not null or s.id is not null then r.message_id end as writing
               from accounts.reports r left join chat.messages m on m.id = r.message_id
               left join studies.comments c on c.id = r.message_id left join studies.studies s on s.id = r.message_id
               left join studies.versions v on (v.study_id, v.version) = (s.id, s.version)
               where (closed_at is not null) = $1
                 and ($2::uuid is null or (r.at, r.id) < (select at, id from accounts.reports where id = $2))
               order by r.at desc, r.id desc limit $3""",
            closed, after and ids.decode(after), PAGE_SIZE,
        )  # fmt: skip
        return [report_from_row(row) for row in rows]

    async def author(self, writing: str, table: UUID | None = None) -> str | None:
        """Return the author of a comment or shared study; None if it does not exist.

        Args:
            table: if given, the text must be about this table.
        """
        row = ids.is_id(writing) and await self._database.row(
            """select player_id from (select id, table_id, player_id from studies.comments
                                      union all select id, table_id, player_id from studies.studies where shared) written
               where id = $1 and ($2::uuid is null or table_id = $2)""",
            ids.decode(writing), table,
        )
        return ids.encode(row["player_id"]) if row else None

    async def player_of_report(self, report: str) -> str | None:
        """Return the id of the reported player.

        The result is "" if the report does not concern a player, and None if the report does not exist.
        """
        row = ids.is_id(report) and await self._database.row(
            "select player_id from accounts.reports where id = $1", ids.decode(report)
        )
        return ((row["player_id"] and ids.encode(row["player_id"])) or "") if row else None


def player_from_row(row: asyncpg.Record) -> FoundPlayer:
    return FoundPlayer(
        id=ids.encode(row["id"]), name=row["name"], kind=row["kind"], role=row["role"],
        owner=row["owner_id"] and ids.encode(row["owner_id"]), login=row["login"], created_at=row["created_at"],
        banned_until=row["banned_until"], muted_until=row["muted_until"],
    )  # fmt: skip


def report_from_row(row: asyncpg.Record) -> ReceivedReport:
    player, table = (row[name] and ids.encode(row[name]) for name in ("player_id", "table_id"))
    return ReceivedReport(
        id=ids.encode(row["id"]), reporter=ids.encode(row["reporter_id"]), player=player, table=table, reason=row["reason"],
        text=row["text"], said=row["said"],
        writing=row["writing"] and ids.encode(row["writing"]),
        tournament=row["tournament_id"] and ids.encode(row["tournament_id"]), at=row["at"], closed_at=row["closed_at"],
    )  # fmt: skip
