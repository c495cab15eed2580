"""The HTTP application: the routes and their middleware."""

from copy import copy
from functools import cache
from typing import Any, cast

from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.types import ASGIApp

from ludarium.api import docs, openapi, pages, web, wellknown
from ludarium.api import play_document as play
from ludarium.api.routes import DEPENDENCIES, PREFIX, ROUTES
from ludarium.api.state import AppState
from ludarium.http import errors, strictness
from ludarium.http.answers import kept
from ludarium.http.cors import Cors
from ludarium.http.edge import Edge, resources_of
from ludarium.http.rate_limits import LimitRequests, RateLimits
from ludarium.platform.metering import in_thread
from ludarium.tables.routes.commands import FastPath


@get(f"{PREFIX}/openapi.json", include_in_schema=False)
async def document(request: Request[Any, Any, Any]) -> Response[bytes]:
    return await kept(request, await in_thread(openapi.encoded), MediaType.JSON, {})


@get(f"{PREFIX}/openapi-play.json", include_in_schema=False)
async def play_document(request: Request[Any, Any, Any]) -> Response[bytes]:
    return await kept(request, await in_thread(play.encoded), MediaType.JSON, {})


def served(parts: AppState, limits: RateLimits | None) -> Edge:
    """Return the whole HTTP service.

    Args:
        limits: None for no rate limits.
    """
    app = application(parts, limits)
    return Edge(cast(ASGIApp, FastPath(cast(ASGIApp, app), parts, limits)), resources_of(app), Cors(app))


def application(parts: AppState, limits: RateLimits | None) -> Litestar:
    """Return the routes with this server's own services.

    So several servers fit into one process.
    """
    app = copy(routes(limited=limits is not None))
    app.state = State({"parts": parts, "limits": limits})
    return app


@cache
def routes(*, limited: bool) -> Litestar:
    """Make the routes, once per process.

    Parsing all handlers takes longer than the rest of a server's start.
    """
    app = Litestar(
        [*ROUTES, document, play_document, docs.page, docs.asset, pages.page, wellknown.robots, wellknown.favicon,
         wellknown.socket_document, web.page, web.embedded, web.asset, web.manifest, web.worker],
        dependencies=DEPENDENCIES,
        exception_handlers=errors.HANDLERS,
        middleware=[LimitRequests()] if limited else [],
        before_request=strictness.check,
        request_max_body_size=strictness.LARGEST_BODY,
        openapi_config=None,
        logging_config=None,
    )
    strictness.prepare(app)
    return app
