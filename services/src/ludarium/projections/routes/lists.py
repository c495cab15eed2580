"""Routes for lists of tables, games and tournaments."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Any, cast

from litestar import Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter

from ludarium.accounts import relations
from ludarium.accounts.access import Access, viewer_of
from ludarium.http import past_games
from ludarium.http.answers import COMPRESSED, is_known, unpacked
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, Page, Ruleset, RulesetId, TableId
from ludarium.http.rate_limits import LOOK_BACK, POSITIONS
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.lobby import Order as LobbyOrder
from ludarium.projections.lobby import TableQuery
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import FramePage, OwnTablePage, Pace, PositionPage, Statistics, TablePage
from ludarium.projections.turns import Order
from ludarium.tables.commands import stream_of
from ludarium.tables.model.rulesets import ruleset_at
from ludarium.tables.routes.tables import SEEN, Caller, Visitor, audience_of
from ludarium.tables.schemas import Status
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR

MAX_POSITIONS = 20
MAX_FRAMES = 500
ProjectionsDep = NamedDependency[Projections]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


@dataclass(frozen=True)
class TableFilters:
    """The query parameters of a search in the lobby."""

    status: FromQuery[Status | None] = None
    ruleset: Ruleset = None
    seats: Annotated[int | None, QueryParameter(ge=1, le=16)] = None
    clock: FromQuery[Pace | None] = None
    friends: FromQuery[bool] = False
    rated: FromQuery[bool | None] = None


@get(
    "/tables", tags=["tables"], opt=operation("unauthenticated", "insufficient-scope"), middleware=[COMPRESSED],
    dependencies={"filters": Provide(TableFilters, sync_to_thread=False)},
)  # fmt: skip
async def list_tables(
    projections: ProjectionsDep,
    visitor: Visitor,
    people: NamedDependency[Database],
    filters: NamedDependency[TableFilters],
    order: FromQuery[LobbyOrder] = "newest",
    after: Page = None,
    limit: Limit = 50,
) -> TablePage:
    """List public tables, newest first, or running games by number of people.

    `after` is the `next` of the page before. `friends` limits the list to tables of players whom you follow, unless
    they hide their presence; it needs the scope `me:read`. The list may lag slightly behind; the tables themselves are
    always up to date.
    """
    followed = await friends_of(visitor, people) if filters.friends else None
    wanted = TableQuery(filters.status, filters.ruleset, filters.seats, filters.clock, filters.rated, followed)
    return await projections.tables(wanted, after, limit, order)


async def friends_of(visitor: Access | None, people: Database) -> Collection[str]:
    """Return the players followed by the caller who let followers find their tables.

    Raises:
        Problem: `unauthenticated`, `insufficient-scope`.
    """
    return await relations.friends(people, follower_of(visitor))


def follower_of(visitor: Access | None) -> str:
    """Return the caller's id.

    Raises:
        Problem: `unauthenticated`, `insufficient-scope`.
    """
    if visitor is None:
        raise Problem("unauthenticated")
    visitor.check("me:read")
    return visitor.player.id


@get("/me/tables", tags=["players"], opt=operation(need="me:read"))
async def list_own_tables(
    projections: ProjectionsDep,
    player: Caller,
    status: FromQuery[Status | None] = None,
    your_turn: FromQuery[bool | None] = None,
    order: FromQuery[Order] = "newest",
    after: Page = None,
    limit: Limit = 50,
) -> OwnTablePage:
    """List your tables, newest first or by the deadline of your turn.

    These are the tables at which you sit and the tables that you opened, including private ones.
    """
    return await projections.own_tables(player.id, status, your_turn, after, limit, order)


@get("/positions", tags=["tables"], opt=operation(rate=POSITIONS), middleware=[COMPRESSED])
async def list_positions(
    projections: ProjectionsDep,
    status: FromQuery[Status | None] = None,
    ruleset: Ruleset = None,
    after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_POSITIONS)] = MAX_POSITIONS,
) -> PositionPage:
    """List public games as spectators see them, newest first, for a wall of games.

    Each entry is the spectators' view of `GET /tables/{id}/view`. The list may lag slightly behind. Tables that
    spectators see with a delay are left out.
    """
    return await projections.positions(status, ruleset, after, limit)


@get(
    "/tables/{table_id:str}/frames", tags=["archive"], responses=past_games.UNCHANGED,
    opt=operation(*SEEN, "no-such-seat", "game-not-over", headers=past_games.HEADERS, price=LOOK_BACK),
)  # fmt: skip
async def list_frames(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    projections: ProjectionsDep,
    viewer: As = None,
    after: After = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_FRAMES)] = 100,
) -> Response[FramePage]:
    """Get a finished game view by view.

    The views are those of the spectators or, with `as`, of any seat. Follow `next` until it is null.
    """
    stream = stream_of(table_id)
    wanted = SPECTATOR if viewer is None else audience_of(viewer)
    table, audience = await tables.queries.seen_by(stream, *viewer_of(visitor, wanted))
    headers = past_games.Question(table, audience, "frames", after, limit, fixed=True).headers()
    if table.is_open_to_all and is_known(request, headers["etag"]):
        return Response(cast(Any, None), status_code=304, headers=headers)
    return await unpacked(request, await projections.frames(stream, audience, after, limit), headers)


@get("/rulesets/{ruleset_id:str}/statistics", tags=["archive"], opt=operation("no-such-ruleset"))
async def get_statistics(ruleset_id: RulesetId, projections: ProjectionsDep) -> Statistics:
    """Get statistics of a ruleset's finished games.

    They have the lengths of games and the places of people and bots by seat, for each number of seats. Games with
    different options count together.
    """
    ruleset_at(ruleset_id)
    return await projections.statistics(ruleset_id)
