"""Quick matches: those who want to play the same are brought to one table, which begins at once."""
from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from hashlib import blake2b
from uuid import UUID

import msgspec

from services import ids
from services.database import Database
from services.problems import Problem
from services.tables.bodies import NewTable
from services.tables.decisions import ruled, started
from services.tables.history import History
from services.tables.rows import AnyRow, SeatedBy
from services.tables.tables import Tables

FRESH = timedelta(seconds=15)
"""For which somebody counts as waiting who does not ask after their ticket."""
ASK = 5
"""Seconds after which to ask again."""
_encode = msgspec.json.Encoder(order="deterministic").encode


class Ticket(msgspec.Struct, frozen=True):
    """table: where to play, once there are enough. seconds: after which to ask again; who does not is not waited for."""

    id: str
    table: str | None
    seconds: int = ASK


class Matches:
    def __init__(self, database: Database, tables: Tables) -> None:
        self._database, self._tables = database, tables

    async def seek(self, ticket: UUID, player: str, wanted: NewTable, barred: Collection[str] = ()) -> Ticket:
        """The player waits, or has a table, not with those who are barred. Who is the first to see a match opens its table."""
        body = _encode(wanted)
        row = await self._database.row(
            "select entry.seek($1, $2, $3, $4, $5, $6, $7, $8) as match", ticket, player,
            blake2b(body, digest_size=16).digest(), body, wanted.seats, ids.new_id(player), FRESH, [*barred],
        )  # fmt: skip
        match = row["match"] if row else None
        if match is not None:
            await self._ensure(match, wanted)
        return Ticket(ids.encode(ticket), None if match is None else ids.encode(match))

    async def look(self, ticket: UUID, player: str, barred: Collection[str] = ()) -> Ticket:
        """Raises Problem `not-found`."""
        row = await self._database.row("select wanted from entry.tickets where id = $1 and player = $2", ticket, player)
        if row is None:
            raise Problem("not-found")
        return await self.seek(ticket, player, msgspec.json.decode(row["wanted"], type=NewTable), barred)

    async def withdraw(self, ticket: UUID, player: str) -> None:
        """Wait no longer; who has a table stays there."""
        await self._database.row("delete from entry.tickets where id = $1 and player = $2 and match is null", ticket, player)

    async def _ensure(self, table: UUID, wanted: NewTable) -> None:
        """The table is there and has begun, however often this is done."""
        if await self._tables.store.head(table) is None:
            rows = await self._database.rows("select player from entry.tickets where match = $1 order by seat", table)
            players = [row["player"] for row in rows]
            seated = [SeatedBy(seat, player, None, b"", "match") for seat, player in enumerate(players)]
            await self._tables.open(table, players[0], wanted, seated)
        await self._tables.changed(table, None, begun, None)


def begun(history: History) -> list[AnyRow]:
    if history.status != "open":
        return []
    return ruled(history, lambda: started(history, [seat for seat in history.seats if seat]))
