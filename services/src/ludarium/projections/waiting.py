"""What waits for each player at a table, as rows that are written with the turns."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from ludarium.tables.model.endings import players
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import seats_to_act
from ludarium_eventstore.reconnect import Connection

COLUMNS = ("id", "player", "kind", "seat", "seq", "at", "by", "detail", "ruleset")


class WaitingRow(NamedTuple):
    """A notice of a player about a table, without what the player has done with it.

    Attributes:
        seq: the event that the notice is about.
        at: the time of the table's newest event, used if the event `seq` is archived.
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


def waiting_at(table: TableState) -> list[WaitingRow]:
    """Return what waits for each player of a table.

    A row depends only on what its player sees of the table: who is asked a sealed question is in the row of that player
    alone.
    """
    return [*turns(table), *open_proposal(table)]


def row_for(
    table: TableState, seat: int, kind: str, seq: int, by: str | None = None, detail: str | None = None
) -> Iterator[WaitingRow]:
    """Yield the row of the player in this seat, nothing if no player sits there."""
    player = player_in(table, seat)
    if player is not None:
        yield WaitingRow(table.stream, player, kind, seat, seq, table.at, by, detail, table.opened.ruleset)


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
    if asked is None or table.status != "playing":
        return
    by = player_in(table, asked.seat) if asked.seat >= 0 else None
    for seat in players(table):
        if seat not in (asked.seat, *asked.agreed):
            yield from row_for(table, seat, "proposal", asked.version, by, asked.question)


async def write_waiting(connection: Connection, tables: Sequence[UUID], rows: Sequence[WaitingRow]) -> None:
    """Replace the rows of these tables. Rows that have not changed are not written again."""
    await connection.execute(
        "delete from waiting where id = any ($1)"
        " and (id, player, kind) not in (select * from unnest($2::uuid[], $3::text[], $4::text[]))",
        tables, *columns_of(rows)[:3],
    )  # fmt: skip
    await connection.execute(
        "insert into waiting as w (id, player, kind, seat, seq, at, by, detail, ruleset)"
        " select n.id, n.player, n.kind, n.seat, n.seq, coalesce((select e.at from es.events e"
        " where e.partition = es.partition_of(n.id) and e.stream_id = n.id and e.version = n.seq), n.at), n.by, n.detail,"
        " n.ruleset from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::timestamptz[], $7::text[],"
        " $8::text[], $9::text[]) as n(id, player, kind, seat, seq, at, by, detail, ruleset)"
        " on conflict (id, player, kind) do update set seat = excluded.seat, seq = excluded.seq, at = excluded.at,"
        " by = excluded.by, detail = excluded.detail"
        " where (w.seat, w.seq, w.at, w.by, w.detail) is distinct from"
        " (excluded.seat, excluded.seq, excluded.at, excluded.by, excluded.detail)",
        *columns_of(rows),
    )  # fmt: skip


def columns_of(rows: Sequence[WaitingRow]) -> list[list[Any]]:
    return [[getattr(row, name) for row in rows] for name in COLUMNS]
