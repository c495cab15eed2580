"""Routes of live HTTP streams, for clients without WebSocket.

The format is JSON lines or, if the client requests it, server-sent events.
"""

from typing import Any

from litestar import Request, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery
from litestar.response import Stream

from ludarium.accounts.access import Access
from ludarium.http.negotiation import asked, locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, Head, Last, TableId, TextLocale
from ludarium.http.rate_limits import LOOK_BACK, address_of
from ludarium.live.lobby import LobbyFilter, Order
from ludarium.live.ports import LastKnown
from ludarium.live.stream_outlet import NDJSON, SSE, Format
from ludarium.live.streams import Streams
from ludarium.projections.routes.lists import TableFilters, follower_of
from ludarium.tables.routes.tables import SEEN, audience_of
from ludarium.tournaments.routes.tournaments import TournamentId

Visitor = NamedDependency[Access | None]
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


@get(
    "/tables/{table_id:str}/stream", tags=["tables"],
    opt=operation(*SEEN, "no-such-seat", "future-sequence", "too-many-connections", texts=True, streams=True,
                  price=LOOK_BACK),
)  # fmt: skip
async def stream_table(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    streams: NamedDependency[Streams],
    viewer: As = None,
    after: After = -1,
    head: Head = None,
    last: Last = None,
    locale: TextLocale = None,
) -> Stream:
    """Follow a table as a stream: the events after `after`, then each new event.

    The format is JSON lines or, if requested, server-sent events. Each `seq` is sent once and in order. The `id` of a
    server-sent event is its `seq` and `head`, with a dot between. If the log has lost the event with this `head`, or
    loses one later, `reset` has the view, and the events after it follow. Lines without `seq` contain the viewers
    (`presence`) or the reason why the stream ends. When there is no news, a blank line or a comment is sent every 7
    seconds.
    """
    format = format_of(request)
    known = LastKnown(after, head) if last is None else last_known(last)
    found = None if locale is None else locale_of(request.scope, locale)
    address = address_of(request.scope)
    chunks = await streams.table(visitor, table_id, audience_of(viewer), known, address, format, found)
    headers = HEADERS if found is None else HEADERS | {"content-language": found}
    return Stream(chunks, media_type=format.media_type, headers=headers)


@get("/me/stream", tags=["players"], opt=operation("too-many-connections", "banned", need="me:read", streams=True))
async def stream_me(
    request: Request[Any, Any, Any], access: NamedDependency[Access], streams: NamedDependency[Streams]
) -> Stream:
    """Follow your own games, turns and notices as a stream.

    The format is JSON lines or, if requested, server-sent events. The stream begins with the current state: all running
    games, those where it is your turn, and the newest notices. After that, each change is sent once. `notice` is a new
    or changed notice, `settled` names a notice that has been settled, and `unread` is the number of unread ones. Ignore
    types that you do not know.
    """
    format = format_of(request)
    chunks = streams.me(access, address_of(request.scope), format)
    return Stream(chunks, media_type=format.media_type, headers=HEADERS)


@get(
    "/lobby/stream", tags=["tables"],
    opt=operation("unauthenticated", "insufficient-scope", "too-many-connections", "too-many-subscriptions", "banned",
                  streams=True),
    dependencies={"filters": Provide(TableFilters, sync_to_thread=False)},
)  # fmt: skip
async def stream_lobby(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    streams: NamedDependency[Streams],
    filters: NamedDependency[TableFilters],
    order: FromQuery[Order] = "newest",
) -> Stream:
    """Follow the first 50 tables of `GET /tables` with these filters as a stream.

    The format is JSON lines or, if requested, server-sent events. The stream begins with `tables`, the whole list.
    After that, `table` is a new or changed table, and `gone` a table that is no longer in the list, each at most once a
    second.
    """
    follower = follower_of(visitor) if filters.friends else None
    wish = LobbyFilter(filters.status, filters.ruleset, filters.seats, filters.clock, filters.rated, order, follower)
    format = format_of(request)
    return Stream(
        streams.lobby(visitor, wish, address_of(request.scope), format), media_type=format.media_type, headers=HEADERS
    )


@get(
    "/tournaments/{tournament_id:str}/rows", tags=["tournaments"],
    opt=operation("not-found", "future-sequence", "too-many-connections", "too-many-subscriptions", "banned", streams=True,
                  price=LOOK_BACK),
)  # fmt: skip
async def stream_tournament(
    request: Request[Any, Any, Any], tournament_id: TournamentId, visitor: Visitor, streams: NamedDependency[Streams],
    after: After = -1, last: Last = None,
) -> Stream:  # fmt: skip
    """Follow the events of a tournament as a stream, after `after`.

    New events, such as `round_published` or `result`, follow as they happen. The format is JSON lines or, if requested,
    server-sent events. Each `seq` is sent once and in order, within a second. To get what an event has changed, such as
    standings, request it with its ETag.
    """
    format = format_of(request)
    first = after if last is None else last_known(last).seq
    chunks = await streams.tournament(visitor, tournament_id, first, address_of(request.scope), format)
    return Stream(chunks, media_type=format.media_type, headers=HEADERS)


def last_known(last: str) -> LastKnown:
    """Parse the id of a server-sent event, which names the last event a client knows."""
    seq, _, head = last.partition(".")
    return LastKnown(int(seq), head or None)


def format_of(request: Request[Any, Any, Any]) -> Format:
    return SSE if "text/event-stream" in asked(request.scope, "Accept") else NDJSON
