"""Routes for views and events of a table, with texts in a requested language."""

from typing import Annotated, Any, cast

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from ludarium.accounts.access import viewer_of
from ludarium.http import past_games
from ludarium.http.answers import etag_of, is_known
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, At, Head, TableId, TextLocale
from ludarium.http.past_games import UNCHANGED
from ludarium.http.rate_limits import LOOK_BACK
from ludarium.http.texts import in_words, known_by, language_of, texts_for
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.event_schemas import EventPage
from ludarium.tables.model.table_state import TableState
from ludarium.tables.queries import MOST_EVENTS
from ludarium.tables.routes.tables import VIEWED, Visitor, audience_of
from ludarium.tables.schemas import TableView
from ludarium.tables.service import Tables
from ludarium.tables.texts import TableTexts, Texts
from ludarium_engine.kernel import SPECTATOR

Limit = Annotated[int, QueryParameter(ge=1, le=MOST_EVENTS, description="The most events in the answer.")]


@get(
    "/tables/{table_id:str}/view", tags=["tables"], responses=UNCHANGED,
    opt=operation(*VIEWED, texts=True, headers=past_games.HEADERS),
)  # fmt: skip
async def get_view(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    projections: NamedDependency[Projections],
    table_texts: NamedDependency[TableTexts],
    viewer: As = None,
    at: At = None,
    locale: TextLocale = None,
) -> Response[TableView]:
    """Get the table as a seat or a spectator sees it, with the seat's question.

    The view is the current one or, with `at`, the one after that event. Without a token or a seat, it is the
    spectators' view. Its `ETag` changes with the view and, if you set `locale`, with the language and the players'
    names.
    """
    looker = viewer_of(visitor, audience_of(viewer))
    if at is not None:
        table, audience = await tables.queries.seen_by(stream_of(table_id), *looker)
        if at < table.version and table.is_open_to_all:
            texts = await texts_for(request, table_texts, table_id, audience, locale)
            return await past_view(request, tables, projections, table, audience, at, texts)
    seen = await tables.view(stream_of(table_id), *looker, at)
    texts = await texts_for(request, table_texts, table_id, SPECTATOR if seen.viewer is None else seen.viewer, locale)
    headers = {"etag": etag_of(seen.seq, seen.head, *known_by(texts)), **language_of(texts)}
    if is_known(request, headers["etag"]):
        return Response(cast(Any, None), status_code=304, headers=headers)
    headers["cache-control"] = "no-cache"
    return in_words(texts.view if texts else None, seen, headers)


async def past_view(
    request: Request[Any, Any, Any], tables: Tables, projections: Projections, table: TableState, audience: int, at: int,
    texts: Texts | None,
) -> Response[TableView]:  # fmt: skip
    """Return the response with the view of a finished game after an earlier event."""

    async def made() -> bytes:
        view = past_games.encode(await tables.queries.past_view(table.stream, audience, at))
        return texts.view(view) if texts else view

    question = past_games.Question(table, audience, "view", at, *known_by(texts), fixed=texts is None)
    return await past_games.answered(request, projections.finished, question, made, language_of(texts))


@get(
    "/tables/{table_id:str}/events", tags=["tables"],
    opt=operation(*VIEWED, "lost-row", texts=True, price=LOOK_BACK),
)  # fmt: skip
async def list_events(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    table_texts: NamedDependency[TableTexts],
    viewer: As = None,
    after: After = -1,
    head: Head = None,
    limit: Limit = 100,
    locale: TextLocale = None,
) -> Response[EventPage]:
    """List the events of a table as the viewer may see them.

    Events that hide everything have the type `hidden`, so `seq` is the same for all viewers. The newest event includes
    the view after it.
    """
    stream = stream_of(table_id)
    audience = await tables.queries.audience(stream, *viewer_of(visitor, audience_of(viewer)))
    if head is not None and after >= 0:
        await tables.queries.check_event(stream, audience, after, head)
    page = await tables.queries.events(stream, audience, after, limit, tables.cache.lookback)
    told = EventPage(page, page[-1].seq if len(page) == limit else None)
    texts = await texts_for(request, table_texts, table_id, audience, locale)
    return in_words(texts.page if texts else None, told, language_of(texts))
