"""Comments on finished games, readable by everyone who may see the game."""
from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import UUID

from ludarium.accounts.names import checked_text
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.sharing.studies.schemas import MAX_COMMENT_LENGTH, Comment, CommentPage, NewComment
from ludarium.tables.model.timing import timestamp

MAX_COMMENTS, PERIOD = 10, timedelta(minutes=10)
"""Comments of one player in PERIOD, at all tables."""
COLUMNS = "id, table_id, player_id, moment, text, at, hidden_at"


class Comments:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def say(self, comment_id: UUID, table: UUID, player: str, comment: NewComment) -> Comment:
        """Store a comment and return it; a repeated `comment_id` changes nothing.

        Raises:
            Problem: `rate-limited`, `invalid-request`, `unkind-words`.
        """
        text = checked_text(comment.text, MAX_COMMENT_LENGTH, "/text")
        row = await self._database.row(
            f"""with room as (select count(*) < $6 as is_left from studies.comments
                              where player_id = $3 and at > clock_timestamp() - $7::interval),
                    fresh as (insert into studies.comments (id, table_id, player_id, moment, text)
                              select $1, $2, $3, $4, $5 from room where is_left on conflict do nothing returning *)
                select {COLUMNS} from fresh union all select {COLUMNS} from studies.comments where id = $1""",
            comment_id, table, ids.decode(player), comment.at, text, MAX_COMMENTS, PERIOD,
        )  # fmt: skip
        if row is None:
            raise Problem("rate-limited", retry_after=round(PERIOD.total_seconds()))
        return comment_from_row(row)

    async def page(
        self, table: UUID, reader: str | None, after: str | None, limit: int, barred: Collection[str] = ()
    ) -> CommentPage:
        """Return a page of comments, oldest first.

        Comments by `barred` players are left out. A hidden comment is shown only to its author.
        """
        rows = await self._database.rows(
            f"""select {COLUMNS} from studies.comments where table_id = $1 and ($2::uuid is null or id > $2)
                and (hidden_at is null or player_id = $3) and player_id <> all($4::uuid[]) order by id limit $5""",
            table, after and ids.decode(after), reader and ids.decode(reader), [*map(ids.decode, barred)], limit,
        )  # fmt: skip
        found = [comment_from_row(row) for row in rows]
        return CommentPage(found, found[-1].id if len(found) == limit else None)

    async def found(self, table: UUID, comment: str) -> Comment:
        """Return a comment.

        Raises:
            Problem: `not-found`.
        """
        row = ids.is_id(comment) and await self._database.row(
            f"select {COLUMNS} from studies.comments where id = $1 and table_id = $2", ids.decode(comment), table
        )
        if not row:
            raise Problem("not-found")
        return comment_from_row(row)

    async def forget(self, comment: Comment) -> None:
        await self._database.rows("delete from studies.comments where id = $1", ids.decode(comment.id))


def comment_from_row(row: Any) -> Comment:
    id_, table, player = (ids.encode(row[name]) for name in ("id", "table_id", "player_id"))
    return Comment(id_, table, player, row["moment"], row["text"], timestamp(row["at"]), row["hidden_at"] is not None)
