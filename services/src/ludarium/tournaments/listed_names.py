"""Names that hosts give to players in the list of entries.

They are stored outside the log, and deleted with the player's account.
"""
from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.database import Database

LONGEST_NAME = 60


class ListedNames:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, tournament: UUID, names: Mapping[str, str]) -> None:
        """Save listed names by player.

        Names that were withdrawn by a moderator, or changed by the player, are not overwritten.
        """
        await self._database.rows(
            """insert into tournament_texts.names (tournament, player_id, name)
               select $1, p.id, given.name from unnest($2::uuid[], $3::text[]) as given (id, name)
               join accounts.players p on p.id = given.id for key share of p
               on conflict (tournament, player_id) do update set name = excluded.name
               where not names.own and not names.withdrawn""",
            tournament, [*map(ids.decode, names)], [*names.values()],
        )  # fmt: skip

    async def change(self, tournament: UUID, player: str, name: str, *, own: bool = False) -> bool:
        """Change a listed name, and return whether a name was changed.

        Only entries made by hosts have a listed name. A host cannot change a name that the player has changed. Nobody can
        change a name that a moderator has withdrawn.

        Args:
            own: whether the player makes the change.
        """
        rows = await self._database.rows(
            """update tournament_texts.names set name = $3, own = $4
               where tournament = $1 and player_id = $2 and ($4 or not own) and not withdrawn
               returning player_id""",
            tournament, ids.decode(player), name, own,
        )  # fmt: skip
        return bool(rows)

    async def delete(self, tournament: UUID, player: str) -> None:
        """Delete a listed name. A withdrawal stays recorded, without the name."""
        await self._database.rows(
            "delete from tournament_texts.names where tournament = $1 and player_id = $2 and not withdrawn",
            tournament, ids.decode(player),
        )  # fmt: skip

    async def of_player(self, player: str) -> dict[str, str]:
        """Return the listed names of a player, by tournament."""
        rows = await self._database.rows(
            "select tournament, name from tournament_texts.names where player_id = $1 and not withdrawn", ids.decode(player)
        )
        return {ids.encode(row["tournament"]): row["name"] for row in rows}

    async def by_player(self, tournament: UUID) -> dict[str, str]:
        """Return the listed names of a tournament, by player."""
        rows = await self._database.rows(
            "select player_id, name from tournament_texts.names where tournament = $1 and not withdrawn", tournament
        )
        return {ids.encode(row["player_id"]): row["name"] for row in rows}
