"""The list of tournaments, and of those with a running round."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.paging import NEWEST, after_cursor
from ludarium.tournaments.event_types import TOURNAMENT_NUMBERS, decode
from ludarium.tournaments.events import (
    Entered,
    PlanChanged,
    Published,
    Returned,
    RoleGiven,
    RoundClosed,
    Status,
    StatusSet,
    TournamentOpened,
    Withdrew,
)
from ludarium_eventstore import StoredEvent
from ludarium_eventstore.reconnect import Connection

LISTED_EVENTS = (TournamentOpened, PlanChanged, StatusSet, RoleGiven, Entered, Withdrew, Returned, Published, RoundClosed)


class ListedTournament(NamedTuple):
    id: UUID
    status: Status
    ruleset: str
    owner: str
    text: UUID
    entries: int


class TournamentList:
    """A projection with one row for each tournament."""

    event_types = frozenset(TOURNAMENT_NUMBERS[kind][0] for kind in LISTED_EVENTS)

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        for event in rows:
            await apply_event(connection, event)


async def apply_event(connection: Connection, event: StoredEvent) -> None:
    stream = event.stream
    match decode(event.type, event.schema, event.data):
        case TournamentOpened(owner=owner, plan=plan, text=text):
            await connection.execute(
                "insert into listed (id, listed_at, status, ruleset, owner, text, stages)"
                " values ($1, $2, 'draft', $3, $4, $5, $6)",
                stream, event.at, plan["tables"]["ruleset"], owner, UUID(bytes=text), len(plan["stages"]),
            )  # fmt: skip
        case PlanChanged(plan=plan, text=text):
            await connection.execute(
                "update listed set ruleset = $2, text = $3, stages = $4 where id = $1",
                stream, plan["tables"]["ruleset"], UUID(bytes=text), len(plan["stages"]),
            )  # fmt: skip
        case StatusSet(status=status):
            await connection.execute("update listed set status = $2 where id = $1", stream, status)
        case RoleGiven(role="owner", player=player):
            await connection.execute("update listed set owner = $2 where id = $1", stream, player)
        case Entered() | Returned():
            await connection.execute("update listed set entries = entries + 1 where id = $1", stream)
        case Withdrew():
            await connection.execute("update listed set entries = entries - 1 where id = $1", stream)
        case Published():
            await connection.execute("update listed set running = true where id = $1", stream)
        case RoundClosed(last=last, stage=stage):
            await connection.execute(
                "update listed set running = false, status = case when $2 and $3 = stages then 'over' else status end"
                " where id = $1", stream, last, stage,
            )  # fmt: skip


async def running_tournaments(database: Database) -> list[UUID]:
    return [row["id"] for row in await database.rows("select id from tournaments.listed where running order by id")]


async def count_unfinished(database: Database, owner: str) -> int:
    """Return the number of unfinished tournaments that this player owns."""
    row = await database.row(
        "select count(*) as held from tournaments.listed where owner = $1 and status not in ('over', 'cancelled')", owner
    )
    return row["held"] if row else 0


async def tournament_page(
    database: Database, status: Status | None, ruleset: str | None, after: str | None, limit: int
) -> list[ListedTournament]:
    """Return a page of tournaments, newest first, without drafts."""
    rows = await database.rows(
        f"""select id, status, ruleset, owner, text, entries from tournaments.listed
            where status <> 'draft' and ($1::text is null or status = $1) and ($2::text is null or ruleset = $2)
              and {after_cursor("tournaments.listed", 3)} {NEWEST} limit $4""",
        status, ruleset, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    return [ListedTournament(*row) for row in rows]
