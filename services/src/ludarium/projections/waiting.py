"""The notices of players about tables, stored as rows together with the turns."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from ludarium.tables.model.access import is_arranged, own_seat, vacancies
from ludarium.tables.model.endings import players
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import Seated
from ludarium.tables.model.lifecycle_events import StoodIn
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import seats_to_act
from ludarium_eventstore.reconnect import Connection


class WaitingRow(NamedTuple):
    """A notice of a player about a table, without what the player has done with it.

    Attributes:
        seq: the event that the notice is about.
        at: the time of the table's newest event, used if the event of the notice is archived.
        type: the notice is about the newest event of this type; None if it is about the event `seq`.
        by: the player who caused it.
        detail: the question of a proposal.
    """

    id: UUID
    player: str
    kind: str
    seat: int
    seq: int
    at: datetime
    by: str | None
    detail: str | None
    ruleset: str
    type: int | None = None


NO_SEAT = -1
SEATING, ABSENCE = type_of(Seated), type_of(StoodIn)


def waiting_at(table: TableState) -> list[WaitingRow]:
    """Return what waits for each player of a table.

    A row depends only on what its player sees of the table: who is asked a sealed question is in the row of that player
    alone.
    """
    match table.status:
        case "open":
            return [*seats_taken(table), *reserved(table)]
        case "playing":
            return [*turns(table), *open_proposal(table), *begun(table), *vacancy(table)]
        case "over":
            return [*ended(table)]


def row_for(
    table: TableState, seat: int, kind: str, seq: int, by: str | None = None, detail: str | None = None,
    type: int | None = None,
) -> Iterator[WaitingRow]:  # fmt: skip
    """Yield the row of the player in this seat, nothing if no player sits there."""
    player = player_in(table, seat)
    if player is not None:
        yield row(table, player, kind, seat, seq, by, detail, type)


def row(
    table: TableState, player: str, kind: str, seat: int, seq: int, by: str | None = None, detail: str | None = None,
    type: int | None = None,
) -> WaitingRow:  # fmt: skip
    return WaitingRow(table.stream, player, kind, seat, seq, table.at, by, detail, table.opened.ruleset, type)


# --- before the game --------------------------------------------------------------------------------------------------
def seats_taken(table: TableState) -> Iterator[WaitingRow]:
    """Yield the host's row once another person has sat down, or the rows of all for whom a full table waits."""
    seated, host = [s for s in table.seats if s], table.lifecycle.host
    if is_arranged(table) or not any(s.player not in (None, host) for s in seated):
        return
    if len(seated) < table.opened.seats:
        yield row(table, host, "seated", seat_or_none(table, host), table.version, type=SEATING)
        return
    for player in dict.fromkeys([host, *(s.player for s in seated if s.player and s.seat not in table.lifecycle.ready)]):
        if player != host or not table.policies.auto_start or own_seat(table, host) not in table.lifecycle.ready:
            yield row(table, player, "full", seat_or_none(table, player), table.version, type=SEATING)


def reserved(table: TableState) -> Iterator[WaitingRow]:
    """Yield the rows of players with a reserved seat. Those who are invited have another notice instead."""
    for seat, player in table.lifecycle.reserved.items():
        yield row(table, player, "reserved", seat, 0, table.lifecycle.host)


def seat_or_none(table: TableState, player: str) -> int:
    seat = own_seat(table, player)
    return NO_SEAT if seat is None else seat


# --- in the game ------------------------------------------------------------------------------------------------------
def begun(table: TableState) -> Iterator[WaitingRow]:
    """Yield the rows of players who have neither acted nor are asked since the game began."""
    for seat in players(table) if is_shared(table) else ():
        if seat not in table.lifecycle.moved and seat not in asked_since(table):
            yield from row_for(table, seat, "started", table.layouts[0][0])


def vacancy(table: TableState) -> Iterator[WaitingRow]:
    """Yield the host's row while a seat can be taken over. Invited players are notified because of it, too."""
    if vacancies(table):
        host = table.lifecycle.host
        yield row(table, host, "substitute", seat_or_none(table, host), table.version, type=ABSENCE)


def ended(table: TableState) -> Iterator[WaitingRow]:
    """Yield the rows of all players. They stay the same once the table is archived."""
    if table.state is not None and table.lifecycle.ended is not None and is_shared(table):
        version, at = table.lifecycle.ended
        for seat in range(table.opened.seats):
            yield from (row._replace(at=at) for row in row_for(table, seat, "ended", version))


def is_shared(table: TableState) -> bool:
    """Return whether more than one player has a seat. Others know when their game begins and ends."""
    return len({s.player for s in table.seats if s and s.player}) > 1


def player_in(table: TableState, seat: int) -> str | None:
    sat = table.seats[seat]
    return sat.player if sat else None


def asked_since(table: TableState) -> dict[int, int]:
    """Return the seats that must act, each with the version at which its turn began."""
    if table.state is None or table.ended:
        return {}
    return {seat: table.since[seat] for seat in seats_to_act(table.state)}


def turns(table: TableState) -> Iterator[WaitingRow]:
    for seat, since in asked_since(table).items():
        yield from row_for(table, seat, "your_turn", since)


def open_proposal(table: TableState) -> Iterator[WaitingRow]:
    """Yield the rows of all who have to answer the open proposal."""
    asked = table.lifecycle.proposal
    if asked is None:
        return
    by = player_in(table, asked.seat) if asked.seat >= 0 else None
    for seat in players(table):
        if seat not in (asked.seat, *asked.agreed):
            yield from row_for(table, seat, "proposal", asked.version, by, asked.question)


# --- writing ----------------------------------------------------------------------------------------------------------
WRITE = """
    insert into waiting as w (id, player, kind, seat, seq, at, by, detail, ruleset)
    select n.id, n.player, n.kind, n.seat, coalesce(e.version, n.seq), coalesce(e.at, n.at), n.by, n.detail, n.ruleset
    from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::timestamptz[], $7::text[], $8::text[],
                $9::text[], $10::int[]) as n(id, player, kind, seat, seq, at, by, detail, ruleset, type)
    left join lateral (
      select version, at from es.events
      where n.type is null and partition = es.partition_of(n.id) and stream_id = n.id and version = n.seq
      union all (select version, at from es.events
                 where n.type is not null and partition = es.partition_of(n.id) and stream_id = n.id and version <= n.seq
                   and type = n.type order by version desc limit 1)
    ) e on true
    on conflict (id, player, kind) do update
    set seat = excluded.seat, seq = excluded.seq, at = excluded.at, by = excluded.by, detail = excluded.detail
    where (w.seat, w.seq, w.at, w.by, w.detail) is distinct from
          (excluded.seat, excluded.seq, excluded.at, excluded.by, excluded.detail)"""


async def write_waiting(connection: Connection, tables: Sequence[UUID], rows: Sequence[WaitingRow]) -> None:
    """Replace the rows of these tables. Rows that have not changed are not written again."""
    await connection.execute(
        "delete from waiting where id = any ($1)"
        " and (id, player, kind) not in (select * from unnest($2::uuid[], $3::text[], $4::text[]))",
        tables, *columns_of(rows)[:3],
    )  # fmt: skip
    if rows:
        await connection.execute(WRITE, *columns_of(rows))


def columns_of(rows: Sequence[WaitingRow]) -> list[list[Any]]:
    return [[getattr(row, name) for row in rows] for name in WaitingRow._fields]
