"""The route for replays."""

from typing import Any, cast

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec

from ludarium.accounts.access import Access, viewer_of
from ludarium.http.answers import etag_of, is_known, unpacked
from ludarium.http.operations import operation
from ludarium.http.parameters import Looking, TableId, Watcher
from ludarium.http.rate_limits import POSITIONS
from ludarium.platform.request_context import vary
from ludarium.projections.registry import Projections
from ludarium.projections.replays import ALL_HANDS
from ludarium.projections.schemas import Replay
from ludarium.tables.commands import stream_of
from ludarium.tables.routes.tables import SEEN, Visitor, audience_of
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR


@get(
    "/tables/{table_id:str}/replay", tags=["archive"],
    opt=operation(*SEEN, "no-such-seat", "game-not-started", rate=POSITIONS, headers=("ETag",)),
    responses={304: ResponseSpec(None, description="Not modified since the `If-None-Match` of the request.")},
)  # fmt: skip
async def get_replay(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    projections: NamedDependency[Projections],
    viewer: Looking = None,
) -> Response[Replay]:
    """Get a game event by event. Apply the facts to get the view at any moment.

    The replay of a running game has what you may see so far. A finished game can be seen from every seat, and with
    `as=everything` with all hands.
    """
    table, audience = await tables.queries.seen_by(stream_of(table_id), *watching(visitor, viewer))
    audience = ALL_HANDS if viewer == "everything" else audience
    etag = etag_of(table.version, table.hash.hex(), audience)
    headers = {"etag": etag, "cache-control": "no-cache"}
    vary("Accept-Encoding")                 # of an unchanged answer, too
    if is_known(request, etag):
        return Response(cast(Any, None), status_code=304, headers=headers)
    secret = not table.is_open_to_all and audience != SPECTATOR
    return await unpacked(request, await projections.replay(table, audience), headers, secret=secret)


def watching(visitor: Access | None, viewer: Watcher | None) -> tuple[str | None, int | None]:
    """Return the caller's id and audience; `everything` counts as a spectator here."""
    return viewer_of(visitor, audience_of("spectator" if viewer == "everything" else viewer))
