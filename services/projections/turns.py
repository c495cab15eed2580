"""Whose turn it is: the tables of a player, and the bots that are asked something."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from engine.kernel import seats_to_act
from eventstore import StoredEvent
from eventstore.subscriptions import Connection
from services import ids
from services.database import Database
from services.projections.bodies import LobbyTable, OwnTable, OwnTablePage
from services.projections.newest import folded, newest_rows
from services.projections.outlines import Outline, outlines_of
from services.tables.bodies import Status
from services.tables.history import History
from services.tables.hot import HotTables

NO_SEAT = -1
Part = tuple[UUID, int, str | None, str | None, str, bool, int, str]


class Asked(NamedTuple):
    """A bot that owes an answer: at which table, in which seat, since which version."""

    table: UUID
    seat: int
    since: int


class Turns:
    """A row for each seat that is taken, and one for who opened a table without sitting there."""

    skips = frozenset[int]()

    def __init__(self, hot: HotTables) -> None:
        self.hot = hot

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        newest = await newest_rows(connection, rows)
        if not newest:
            return
        parts: list[Part] = []
        for outline in await outlines_of(connection, [*newest.values()]):
            history = await folded(self.hot, newest[outline.stream]) if outline.status == "playing" else None
            parts += parts_of(outline, history)
        await put(connection, [*newest], parts)


def parts_of(outline: Outline, history: History | None) -> Iterator[Part]:
    """history: of a game that is being played."""
    body, asked = msgspec.json.encode(outline.body()).decode(), asked_since(history)

    def part(seat: int, player: str | None, bot: str | None) -> Part:
        return outline.stream, seat, player, bot, outline.status, seat in asked, asked.get(seat, 0), body

    seated = [s for s in outline.seats if s]
    yield from (part(s.seat, s.player, s.bot) for s in seated)
    if outline.opened.creator not in [s.player for s in seated]:
        yield part(NO_SEAT, outline.opened.creator, None)


def asked_since(history: History | None) -> dict[int, int]:
    """By seat that owes an answer, the version since which."""
    if history is None or history.state is None:
        return {}
    return {seat: history.since[seat] for seat in seats_to_act(history.state)}


async def put(connection: Connection, tables: Sequence[UUID], parts: Sequence[Part]) -> None:
    """These are all parts of these tables; rows that say so already are not written again."""
    await connection.execute(
        "delete from parts where id = any ($1)"
        " and (id, part) not in (select * from unnest($2::uuid[], $3::int[]))",
        tables, [p[0] for p in parts], [p[1] for p in parts],
    )  # fmt: skip
    await connection.executemany(
        "insert into parts as p (id, part, player, bot, status, asked, since, body)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb)"
        " on conflict (id, part) do update set player = excluded.player, bot = excluded.bot, status = excluded.status,"
        " asked = excluded.asked, since = excluded.since, body = excluded.body"
        " where (p.player, p.bot, p.status, p.asked, p.since, p.body)"
        " is distinct from (excluded.player, excluded.bot, excluded.status, excluded.asked, excluded.since, excluded.body)",
        parts,
    )  # fmt: skip


async def page(
    database: Database, player: str, status: Status | None, your_turn: bool | None, after: str | None, limit: int
) -> OwnTablePage:
    """The player's tables, the newest first."""
    rows = await database.rows(
        """select part, asked, since, body::text from turns.parts
           where player = $1 and ($2::text is null or status = $2)
             and ($3::bool is null or asked = $3) and ($4::uuid is null or id < $4)
           order by id desc limit $5""",
        player, status, your_turn, ids.decode(after) if after else None, limit,
    )
    tables = [own_table(row) for row in rows]
    return OwnTablePage(tables, tables[-1].table.id if len(tables) == limit else None)


def own_table(row: Any) -> OwnTable:
    table = msgspec.json.decode(row["body"], type=LobbyTable)
    return OwnTable(table, None if row["part"] == NO_SEAT else row["part"], row["asked"], row["since"])


async def playing(database: Database, players: Collection[str]) -> dict[str, list[OwnTable]]:
    """The seats of each of the players in games that are being played."""
    rows = await database.rows(
        """select player, part, asked, since, body::text from turns.parts
           where player = any ($1) and status = 'playing' and part >= 0 order by id""",
        [*players],
    )
    found: dict[str, list[OwnTable]] = {}
    for row in rows:
        found.setdefault(row["player"], []).append(own_table(row))
    return found


async def bots_asked(database: Database) -> set[Asked]:
    """The bots that owe an answer, as far as the projection has come."""
    rows = await database.rows("select id, part, since from turns.parts where bot is not null and asked")
    return {Asked(row["id"], row["part"], row["since"]) for row in rows}
