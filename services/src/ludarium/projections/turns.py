"""Whose turn it is: the tables of a player, and the bots that are asked something."""
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
from ludarium.tables.model.endings import stand_in
from ludarium.tables.model.event_types import TABLE
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import instant, timestamp
from ludarium.tables.schemas import Status
from ludarium.tables.table_cache import UNREADABLE, TableCache
from ludarium.tables.views import seat_bodies
from ludarium_engine.kernel import seats_to_act
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection

log = logging.getLogger(__name__)
_table = json_decoder(LobbyTable)

NO_SEAT = -1
Order = Literal["newest", "deadline"]
DEADLINE = "deadline + coalesce(clocks.away_since(ticked), interval '0')"
"""As views have it: outages after the newest row of the clocks put it off."""
DUE = f"order by coalesce({DEADLINE}, 'infinity'), id"
AFTER_DUE = f"""($4::uuid is null or (coalesce({DEADLINE}, 'infinity'), id) >
    ((select coalesce({DEADLINE}, 'infinity') from turns.parts c where c.id = $4 and c.player = $1 limit 1), $4))"""
COLUMNS = ("id", "part", "listed_at", "player", "bot", "status", "asked", "since", "body", "deadline", "ticked")


class AskedBot(NamedTuple):
    """A bot that owes an answer: at which table, in which seat, since which version."""

    table: BotTable
    seat: int
    since: int


class Part(NamedTuple):
    """A seat that is taken or kept for somebody, or whose table it is who does not sit there."""

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
    """A table as it is after the row `seq` with this hash: all its parts."""

    id: UUID
    seq: int
    hash: bytes
    parts: list[Part]


class Turns:
    """As the log tells it: of tables that the processes which committed to them have not told of."""

    takes = TABLE

    def __init__(self, cache: TableCache) -> None:
        self.cache = cache

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        newest = await newest_events(connection, await outdated(connection, rows))
        states = {row.stream: await current_state(self.cache, row) for row in newest.values()}
        await write(connection, [turns_of(state) for state in states.values() if state])
        await clear_turns(connection, [table for table, state in states.items() if state is None])


async def outdated(connection: Connection, rows: Sequence[StoredEvent]) -> list[StoredEvent]:
    """The last row of each table of which less is told than it says, or what another row said in its place."""
    last = {row.stream: row for row in rows}
    found = await connection.fetch(
        "select l.id from unnest($1::uuid[], $2::int[], $3::bytea[]) as l(id, seq, hash) left join heads h on h.id = l.id"
        " where h.seq is null or h.seq < l.seq or (h.seq = l.seq and h.hash is distinct from l.hash)",
        [*last], [row.version for row in last.values()], [row.hash for row in last.values()],
    )  # fmt: skip
    return [last[row["id"]] for row in found]


async def newest_events(connection: Connection, rows: Sequence[StoredEvent]) -> dict[UUID, StoredEvent]:
    """By table its last row, where the log has nothing newer; what is newer comes later, and counts then."""
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
    """The row's table as it is now; None if its log is damaged: then nothing is to be told of its game."""
    try:
        return await cache.load_after(row.stream, row.hash)
    except Problem as problem:
        if problem.code not in UNREADABLE:
            raise
        log.error("table %s is left out: %s", row.stream, problem)
        return None


# --- what there is to tell --------------------------------------------------------------------------------------------
def turns_of(table: TableState) -> TableTurns:
    return TableTurns(table.stream, table.version, table.hash, [*parts_of(table)])


def parts_of(table: TableState) -> Iterator[Part]:
    body, asked, host = lobby_body(table), asked_since(table), table.lifecycle.host

    def part(seat: int, player: str | None, bot: str | None) -> Part:
        since, until = asked.get(seat, 0), deadline(table, seat)
        return Part(
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
    """Return when its time is over, without outages after the newest row of its clocks; None while its clock does not run."""
    over = table.clocks.over(seat, away=0) if table.clocks and table.status == "playing" else None
    return None if over is None else instant(over)


def asked_since(table: TableState) -> dict[int, int]:
    """By seat that owes an answer, the version since which."""
    if table.state is None or table.ended:
        return {}
    return {seat: table.since[seat] for seat in seats_to_act(table.state)}


# --- telling it -------------------------------------------------------------------------------------------------------
async def write(connection: Connection, tables: Iterable[TableTurns]) -> None:
    """In a transaction. What is told already, or newer, stays; rows that say so already are not written again.

    Nothing is told of a row that the log does not have: the caller may not know yet that it is lost.
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
        *columns(parts),
    )  # fmt: skip


def columns(parts: Sequence[Part]) -> list[list[Any]]:
    return [[getattr(part, name) for part in parts] for name in COLUMNS]


async def claim_newer(connection: Connection, tables: Sequence[TableTurns]) -> list[TableTurns]:
    """Those of which less was told before, or what a row said that is lost: of two with one number one is in the log.

    Their rows stay locked, in the order of `tables`: who comes next sees what is written behind this.
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
    """Nobody can act at these tables."""
    await connection.execute("update parts set asked = false where id = any ($1) and asked", damaged)


# --- reading ----------------------------------------------------------------------------------------------------------
async def page(
    database: Database, player: str, status: Status | None, your_turn: bool | None, after: str | None, limit: int,
    order: Order = "newest",
) -> OwnTablePage:  # fmt: skip
    """The player's tables, in this order."""
    rows = await database.rows(
        f"""select part, asked, since, body::text, {DEADLINE} as due from turns.parts
           where player = $1 and ($2::text is null or status = $2)
             and ($3::bool is null or asked = $3) and ($3 is not true or status = 'playing')
             and {after_cursor("turns.parts", 4) if order == "newest" else AFTER_DUE}
           {NEWEST if order == "newest" else DUE} limit $5""",
        player, status, your_turn, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    tables = [own_table(row) for row in rows]
    return OwnTablePage(tables, tables[-1].table.id if len(tables) == limit else None)


def own_table(row: Any) -> OwnTable:
    table, at = _table(row["body"]), row["due"]
    return OwnTable(table, None if row["part"] == NO_SEAT else row["part"], row["asked"], row["since"], at and timestamp(at))


async def playing(database: Database, players: Collection[str]) -> Mapping[str, list[OwnTable]]:
    """The seats of each of the players in games that are being played, those first where time is over soonest."""
    rows = await database.rows(
        f"""select player, part, asked, since, body::text, {DEADLINE} as due from turns.parts
           where player = any ($1) and status = 'playing' and part >= 0 {DUE}, part""",
        [*players],
    )
    found: dict[str, list[OwnTable]] = {}
    for row in rows:
        found.setdefault(row["player"], []).append(own_table(row))
    return found


async def unfinished(database: Database, player: str) -> list[UUID]:
    """The tables that are not over at which the player has a part."""
    rows = await database.rows("select distinct id from turns.parts where player = $1 and status <> 'over'", player)
    return [row["id"] for row in rows]


async def bots_asked(database: Database) -> set[AskedBot]:
    """The bots that owe an answer and that no process is at, as far as the projection has come."""
    rows = await database.rows(
        """select id, part, since, body ->> 'creator' as creator from turns.parts p
           where bot is not null and asked
             and not exists (select from bots.leases l where l.id = p.id and l.until > now())"""
    )
    return {AskedBot(BotTable(row["id"], row["creator"]), row["part"], row["since"]) for row in rows}


async def bot_games(database: Database, creator: str) -> int:
    """How many games go on that this player has opened and at which nobody but bots sits, theirs or ours."""
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


async def tables_of(database: Database, player: str) -> int:
    """How many tables they are at, or have opened, that are not over."""
    row = await database.row(
        "select count(distinct id) as tables from turns.parts where player = $1 and status <> 'over'", player
    )
    assert row is not None                      # an aggregate has a row
    tables: int = row["tables"]
    return tables
