"""Players' preferences about notices."""
from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from ludarium.notices.schemas import NoticePreferences
from ludarium.platform import ids
from ludarium.platform.database import Database

ALL_WANTED = NoticePreferences()


class PreferenceStore:
    """The preferences of players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, players: Sequence[UUID]) -> dict[str, NoticePreferences]:
        """Return the preferences of those players who have set any."""
        rows = await self._database.rows(
            "select player_id, kinds, tables, people from notices.preferences where player_id = any($1)", players
        )
        return {ids.encode(row["player_id"]): NoticePreferences(row["kinds"], row["tables"], row["people"]) for row in rows}

    async def of_player(self, player: str) -> NoticePreferences:
        return (await self.of([ids.decode(player)])).get(player, ALL_WANTED)

    async def put(self, player: str, wanted: NoticePreferences) -> None:
        """Replace a player's preferences."""
        await self._database.row(
            """insert into notices.preferences (player_id, kinds, tables, people) values ($1, $2, $3, $4)
               on conflict (player_id) do update set kinds = excluded.kinds, tables = excluded.tables,
               people = excluded.people, at = now()""",
            ids.decode(player), wanted.kinds, wanted.tables, wanted.people,
        )  # fmt: skip
