"""Turns: the tables of each player, and the bots that must act."""
from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.bots.fair_queue import BotTable
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.paging import NEWEST, after_cursor
from ludarium.projections.schemas import LobbyTable, OwnTable, OwnTablePage
from ludarium.projections.waiting import WaitingRow, asked_since, waiting_at, write_waiting
from ludarium.tables.model.endings import stand_in
from ludarium.tables.model.event_types import TABLE
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import instant, timestamp
from ludarium.tables.schemas import Status
from ludarium.tables.table_cache import UNREADABLE, TableCache
from ludarium.tables.views import seat_bodies
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection

log = logging.getLogger(__name__)
decode_table = json_decoder(LobbyTable)

NO_SEAT = -1
Order = Literal["newest", "deadline"]
DEADLINE = "deadline + coalesce(clocks.away_since(ticked), interval '0')"
"""The deadline as views show it, moved by outages since the newest clock event."""
ORDER_BY_DEADLINE = f"order by coalesce({DEADLINE}, 'infinity'), id"
AFTER_DEADLINE = f"""($4::uuid is null or (coalesce({DEADLINE}, 'infinity'), id) >
    ((select coalesce({DEADLINE}, 'infinity') from turns.parts c where c.id = $4 and c.player = $1 limit 1), $4))"""
COLUMNS = ("id", "part", "listed_at", "player", "bot", "status", "asked", "since", "body", "deadline", "ticked")


class AskedBot(NamedTuple):
    """A bot that must act: its table, its seat, and the version when its turn began."""

    table: BotTable
    seat: int
    since: int


class PartRow(NamedTuple):
    """A player's or bot's part at a table.

    A part is a taken or reserved seat, or being the creator of a table without a seat at it.
    """

    id: UUID
    part: int
    listed_at: datetime
    player: str | None
    bot: str | None
    status: str
    asked: bool
    since: int
    body: str
    deadline: datetime | None = None
    ticked: datetime | None = None


class TableTurns(NamedTuple):
    """All parts and notices at a table, after event `seq` with this hash."""

    id: UUID
    seq: int
    hash: bytes
    parts: list[PartRow]
    waiting: list[WaitingRow] = []


class TurnList:
    """A subscription that writes the turns missed by the committing process."""

    event_types = TABLE

    def __init__(self, cache: TableCache) -> None:
        self.cache = cache

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        newest = await newest_events(connection, await outdated(connection, rows))
        states = {row.stream: await current_state(self.cache, row) for row in newest.values()}
        await write_turns(connection, [turns_of(state) for state in states.values() if state])
        await clear_turns(connection, [table for table, state in states.items() if state is None])


async def outdated(connection: Connection, rows: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Return the newest event of each table whose stored turn is outdated.

    A stored turn is outdated if it is older, or if it comes from an event that was lost.
    """
    last = {row.stream: row for row in rows}
    found = await connection.fetch(
        "select l.id from unnest($1::uuid[], $2::int[], $3::bytea[]) as l(id, seq, hash) left join heads h on h.id = l.id"
        " where h.seq is null or h.seq < l.seq or (h.seq = l.seq and h.hash is distinct from l.hash)",
        [*last], [row.version for row in last.values()], [row.hash for row in last.values()],
    )  # fmt: skip
    return [last[row["id"]] for row in found]


async def newest_events(connection: Connection, rows: Sequence[StoredEvent]) -> dict[UUID, StoredEvent]:
    """Return each table's last event, except tables for which the log has a newer one."""
    last = {row.stream: row for row in rows}
    heads = await connection.fetch(
        "select s.id, coalesce("
        " (select a.version from es.archived a where a.partition = es.partition_of(s.id) and a.stream_id = s.id),"
        " (select max(e.version) from es.events e where e.partition = es.partition_of(s.id) and e.stream_id = s.id)) as head"
        " from unnest($1::uuid[]) as s(id)",
        [*last],
    )  # fmt: skip
    return {row["id"]: last[row["id"]] for row in heads if last[row["id"]].version == row["head"]}


async def current_state(cache: TableCache, row: StoredEvent) -> TableState | None:
    """Return the current state of an event's table, None if its log is damaged."""
    try:
        return await cache.load_after(row.stream, row.hash)
    except Problem as problem:
        if problem.code not in UNREADABLE:
            raise
        log.error("table %s is left out: %s", row.stream, problem)
        return None


# --- rows of a table --------------------------------------------------------------------------------------------------
def turns_of(table: TableState) -> TableTurns:
    return TableTurns(table.stream, table.version, table.hash, [*part_rows(table)], waiting_at(table))


def part_rows(table: TableState) -> Iterator[PartRow]:
    body, asked, host = lobby_body(table), asked_since(table), table.lifecycle.host

    def part(seat: int, player: str | None, bot: str | None) -> PartRow:
        since, until = asked.get(seat, 0), deadline(table, seat)
        return PartRow(
            table.stream, seat, table.opened_at, player, bot, table.status, seat in asked, since, body,
            until, instant(table.clocks.at) if until and table.clocks else None,
        )  # fmt: skip

    seated = [s for s in table.seats if s]
    yield from (part(s.seat, s.player, stand_in(table, s.seat)) for s in seated)
    yield from (part(seat, player, None) for seat, player in table.lifecycle.reserved.items())
    if host not in [s.player for s in seated]:
        yield part(NO_SEAT, host, None)


def lobby_body(table_state: TableState) -> str:
    opened = table_state.opened
    table = LobbyTable(
        table_state.id, opened.ruleset, table_state.all_options, table_state.status, opened.creator, seat_bodies(table_state),
        table_state.policies.clock, table_state.policies.rated,
    )  # fmt: skip
    return msgspec.json.encode(table).decode()


def deadline(table: TableState, seat: int) -> datetime | None:
    """Return a seat's deadline without later outages, None while its clock is stopped."""
    over = table.clocks.over(seat, away=0) if table.clocks and table.status == "playing" else None
    return None if over is None else instant(over)


# --- writing ----------------------------------------------------------------------------------------------------------
async def write_turns(connection: Connection, tables: Iterable[TableTurns]) -> None:
    """Write the rows of these tables in a transaction, unless newer rows exist.

    Nothing is written for an event that is missing in the log, because the caller may not know yet that it was lost.
    """
    newer = await claim_newer(connection, sorted(tables))
    parts = [part for table in newer for part in table.parts]
    await connection.execute(
        "delete from parts where id = any ($1) and (id, part) not in (select * from unnest($2::uuid[], $3::int[]))",
        [table.id for table in newer], [part.id for part in parts], [part.part for part in parts],
    )  # fmt: skip
    await connection.execute(
        "insert into parts as p (id, part, listed_at, player, bot, status, asked, since, body, deadline,"
        " ticked)"
        " select * from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::bool[],"
        " $8::int[], $9::text[]::jsonb[], $10::timestamptz[], $11::timestamptz[])"
        " on conflict (id, part) do update set player = excluded.player, bot = excluded.bot, status = excluded.status,"
        " asked = excluded.asked, since = excluded.since, body = excluded.body, deadline = excluded.deadline,"
        " ticked = excluded.ticked"
        " where (p.player, p.bot, p.status, p.asked, p.since, p.body, p.deadline) is distinct from"
        " (excluded.player, excluded.bot, excluded.status, excluded.asked, excluded.since, excluded.body, excluded.deadline)",
        *part_columns(parts),
    )  # fmt: skip
    await write_waiting(connection, [table.id for table in newer], [row for table in newer for row in table.waiting])


def part_columns(parts: Sequence[PartRow]) -> list[list[Any]]:
    return [[getattr(part, name) for part in parts] for name in COLUMNS]


async def claim_newer(connection: Connection, tables: Sequence[TableTurns]) -> list[TableTurns]:
    """Return the tables whose stored turn is older or comes from a lost event.

    Their rows are locked, in the order of `tables`, so that a concurrent writer sees the result.
    """
    found = await connection.fetch(
        "insert into heads as h (id, seq, hash)"
        " select n.id, n.seq, n.hash from unnest($1::uuid[], $2::int[], $3::bytea[]) with ordinality as n(id, seq, hash, nth)"
        " cross join lateral (select from es.events e where e.partition = es.partition_of(n.id) and e.stream_id = n.id"
        " and e.version = n.seq and e.hash = n.hash union all"
        " select from es.archived a where a.partition = es.partition_of(n.id) and a.stream_id = n.id"
        " and a.version = n.seq and a.head = n.hash limit 1) stands order by nth"
        " on conflict (id) do update set seq = excluded.seq, hash = excluded.hash"
        " where h.seq < excluded.seq or (h.seq = excluded.seq and h.hash is distinct from excluded.hash) returning id",
        [table.id for table in tables], [table.seq for table in tables], [table.hash for table in tables],
    )  # fmt: skip
    newer = {row["id"] for row in found}
    return [table for table in tables if table.id in newer]


async def clear_turns(connection: Connection, damaged: Sequence[UUID]) -> None:
    """Clear the turns of damaged tables, at which no player can act."""
    await connection.execute("update parts set asked = false where id = any ($1) and asked", damaged)
    await connection.execute("delete from waiting where id = any ($1)", damaged)


# --- reading ----------------------------------------------------------------------------------------------------------
async def own_table_page(
    database: Database, player: str, status: Status | None, your_turn: bool | None, after: str | None, limit: int,
    order: Order = "newest",
) -> OwnTablePage:  # fmt: skip
    """Return a page of the player's tables."""
    rows = await database.rows(
        f"""select part, asked, since, body::text, {DEADLINE} as due from turns.parts
           where player = $1 and ($2::text is null or status = $2)
             and ($3::bool is null or asked = $3) and ($3 is not true or status = 'playing')
             and {after_cursor("turns.parts", 4) if order == "newest" else AFTER_DEADLINE}
           {NEWEST if order == "newest" else ORDER_BY_DEADLINE} limit $5""",
        player, status, your_turn, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    tables = [own_table(row) for row in rows]
    return OwnTablePage(tables, tables[-1].table.id if len(tables) == limit else None)


def own_table(row: Any) -> OwnTable:
    table, at = decode_table(row["body"]), row["due"]
    return OwnTable(table, None if row["part"] == NO_SEAT else row["part"], row["asked"], row["since"], at and timestamp(at))


async def playing_tables(database: Database, players: Collection[str]) -> Mapping[str, list[OwnTable]]:
    """Return each player's seats in running games, with the nearest deadlines first."""
    rows = await database.rows(
        f"""select player, part, asked, since, body::text, {DEADLINE} as due from turns.parts
           where player = any ($1) and status = 'playing' and part >= 0 {ORDER_BY_DEADLINE}, part""",
        [*players],
    )
    found: dict[str, list[OwnTable]] = {}
    for row in rows:
        found.setdefault(row["player"], []).append(own_table(row))
    return found


async def unfinished(database: Database, player: str) -> list[UUID]:
    """Return the unfinished tables at which the player has a part."""
    rows = await database.rows("select distinct id from turns.parts where player = $1 and status <> 'over'", player)
    return [row["id"] for row in rows]


async def bots_asked(database: Database) -> set[AskedBot]:
    """Return the bots that must act and are not leased to any process."""
    rows = await database.rows(
        """select id, part, since, body ->> 'creator' as creator from turns.parts p
           where bot is not null and asked
             and not exists (select from bots.leases l where l.id = p.id and l.until > now())"""
    )
    return {AskedBot(BotTable(row["id"], row["creator"]), row["part"], row["since"]) for row in rows}


async def count_bot_games(database: Database, creator: str) -> int:
    """Return the number of running bot-only games that this player has opened."""
    row = await database.row(
        """select count(*) as games from turns.parts c
           where c.player = $1 and c.body ->> 'creator' = $1 and c.status = 'playing'
             and not exists (select from turns.parts s where s.id = c.id and s.part >= 0 and s.player is not null
                             and s.body -> 'seats' -> s.part ->> 'owner' is null)""",
        creator,
    )
    assert row is not None                      # an aggregate has a row
    games: int = row["games"]
    return games


async def count_tables(database: Database, player: str) -> int:
    """Return the number of unfinished tables at which the player has a part."""
    row = await database.row(
        "select count(distinct id) as tables from turns.parts where player = $1 and status <> 'over'", player
    )
    assert row is not None                      # an aggregate has a row
    tables: int = row["tables"]
    return tables
