"""The lobby: all tables as a list. Told by the process that changed a table; what a crash left out is read up later."""

import logging
from collections import OrderedDict
from typing import Any
from uuid import UUID

import msgspec

from eventstore import EventStore
from services import ids
from services.database import Database
from services.problems import Problem
from services.tables.bodies import SeatBody, Status
from services.tables.history import History
from services.tables.rows import NUMBERS, Acted
from services.tables.tables import Tables
from services.tables.views import seat_bodies

log = logging.getLogger(__name__)

PAGE = 1000
"""Rows of the log that are read at a time."""
REMEMBERED = 10_000


class LobbyTable(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    ruleset: str
    options: dict[str, Any]
    status: Status
    creator: str
    seats: list[SeatBody]


class TablePage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    tables: list[LobbyTable]
    next: str | None


class Lobby:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._told: OrderedDict[UUID, LobbyTable] = OrderedDict()

    async def follow(self, history: History) -> None:
        """Note what a commit changed; most moves change nothing here."""
        entry = lobby_table(history)
        if self._told.get(history.stream) == entry:
            return
        try:
            await self._put(history, entry)
        except Problem as problem:
            # The move itself stands: the next change of the table, or the next start, tells it.
            log.warning("The lobby is behind for table %s: %s", entry.id, problem)
            return
        self._told[history.stream] = entry
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    async def page(self, status: Status | None, ruleset: str | None, after: str | None, limit: int) -> TablePage:
        """Public tables, the newest first."""
        rows = await self._database.rows(
            """select body::text from lobby.tables
               where visibility = 'public' and ($1::text is null or status = $1)
                 and ($2::text is null or ruleset = $2) and ($3::uuid is null or id < $3)
               order by id desc limit $4""",
            status, ruleset, ids.decode(after) if after else None, limit,
        )
        tables = [msgspec.json.decode(row["body"], type=LobbyTable) for row in rows]
        return TablePage(tables, tables[-1].id if len(tables) == limit else None)

    async def bots_playing(self) -> list[UUID]:
        """The unfinished games with a bot."""
        rows = await self._database.rows("select id from lobby.tables where status = 'playing' and bots order by id")
        return [row["id"] for row in rows]

    async def read_up(self, store: EventStore, tables: Tables) -> None:
        """Take in what was committed and not told: by a process that died in between, or before there was a lobby."""
        position = await self._position()
        while rows := await store.since(position, PAGE):
            changed = {row.stream for row in rows if row.type != NUMBERS[Acted]}
            for stream in changed:
                await self._read(tables, stream)
            position = rows[-1].position
            await self._reached(position)

    async def _read(self, tables: Tables, stream: UUID) -> None:
        try:
            await self.follow(await tables.hot.fresh(stream))
        except Problem as problem:
            log.error("Table %s stays out of the lobby: %s", ids.encode(stream), problem)

    async def _put(self, history: History, entry: LobbyTable) -> None:
        await self._database.rows(
            """insert into lobby.tables (id, seq, ruleset, status, visibility, bots, body)
               values ($1, $2, $3, $4, $5, $6, $7::text::jsonb)
               on conflict (id) do update set seq = excluded.seq, status = excluded.status, bots = excluded.bots,
                 body = excluded.body
               where lobby.tables.seq <= excluded.seq""",
            history.stream, history.version, entry.ruleset, entry.status, history.opened.visibility,
            any(seat.bot for seat in entry.seats), msgspec.json.encode(entry).decode(),
        )

    async def _position(self) -> int:
        row = await self._database.row("select position from lobby.progress")
        return row["position"] if row else 0

    async def _reached(self, position: int) -> None:
        await self._database.rows(
            """insert into lobby.progress (position) values ($1)
               on conflict (only_row) do update set position = greatest(lobby.progress.position, excluded.position)""",
            position,
        )


def lobby_table(history: History) -> LobbyTable:
    opened = history.opened
    return LobbyTable(
        history.id, opened.ruleset, opened.options, history.status, opened.creator, seat_bodies(history)
    )
