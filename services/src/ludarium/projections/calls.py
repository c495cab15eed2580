"""The projection of tournament entries, running rounds and featured boards."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from ludarium.platform.database import Database
from ludarium.tournaments.event_types import TOURNAMENT_NUMBERS, decode
from ludarium.tournaments.events import Entered, NextGame, Published, Replayed, Returned, RoundClosed, Substituted, Withdrew
from ludarium.tournaments.time_events import Featured
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection

CALL_EVENTS = (Entered, Withdrew, Returned, Substituted, Published, Replayed, NextGame, Featured, RoundClosed)


class TournamentEntries:
    """A projection with rows for entries, running rounds and featured boards."""

    event_types = frozenset(TOURNAMENT_NUMBERS[kind][0] for kind in CALL_EVENTS)

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        for event in rows:
            await apply_event(connection, event)


async def apply_event(connection: Connection, event: StoredEvent) -> None:
    stream = event.stream
    match decode(event.type, event.schema, event.data):
        case Entered(entry=entry, player=player) | Returned(entry=entry, player=player):
            await connection.execute("insert into entries values ($1, $2, $3)", stream, entry, player)
        case Withdrew(entry=entry):
            await connection.execute("delete from entries where tournament = $1 and entry = $2", stream, entry)
        case Substituted(entry=entry, player=player):
            await connection.execute(
                "update entries set player = $3 where tournament = $1 and entry = $2", stream, entry, player
            )
        case Published(ids=ids):
            await close_round(connection, stream)
            await connection.execute("insert into boards values ($1, $2)", stream, [UUID(bytes=each) for each in ids])
        case Replayed(board=board, table=table) | NextGame(board=board, table=table):
            await connection.execute(
                "update boards set tables[$2] = $3 where tournament = $1", stream, board, UUID(bytes=table)
            )
        case Featured(board=board, on=True):
            await connection.execute("insert into featured values ($1, $2) on conflict do nothing", stream, board)
        case Featured(board=board):
            await connection.execute("delete from featured where tournament = $1 and board = $2", stream, board)
        case RoundClosed():
            await close_round(connection, stream)


async def close_round(connection: Connection, stream: UUID) -> None:
    await connection.execute("delete from boards where tournament = $1", stream)
    await connection.execute("delete from featured where tournament = $1", stream)


async def featured_tables(database: Database, tournaments: Collection[UUID]) -> dict[UUID, list[UUID]]:
    """Return the tables of each tournament's featured boards, in the order of boards."""
    rows = await database.rows(
        """select f.tournament, array_agg(b.tables[f.board] order by f.board) as tables
           from calls.featured f join calls.boards b on b.tournament = f.tournament
           where f.tournament = any($1) group by f.tournament""",
        [*tournaments],
    )  # fmt: skip
    return {row["tournament"]: row["tables"] for row in rows}


async def entered_players(database: Database, players: Collection[str]) -> dict[UUID, list[str]]:
    """Return, for each running tournament, which of these players have entered."""
    rows = await database.rows(
        """select e.tournament, array_agg(e.player) as players
           from calls.entries e join tournaments.listed l on l.id = e.tournament
           where e.player = any($1) and l.status not in ('over', 'cancelled') group by e.tournament""",
        [*players],
    )  # fmt: skip
    return {row["tournament"]: row["players"] for row in rows}
