"""The HTTP application: routes and what stands around each of them."""

from typing import Any

from litestar import Litestar, MediaType, Request, Response, Router, get
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from services.api import docs, errors, guests, health, lists, openapi, root, rulesets, streams, strictness, tables, web
from services.api.answers import kept
from services.api.auth import provide_player, provide_visitor
from services.api.limits import LimitRequests, Limits
from services.api.state import Parts

PREFIX = "/api/v1"
ROUTES: list[ControllerRouterHandler] = [
    health.healthz,
    health.readyz,
    Router(
        PREFIX,
        route_handlers=[
            root.root, guests.new_guest, guests.rejoin, guests.me, guests.player_of,
            rulesets.rulesets, rulesets.ruleset, rulesets.ruleset_texts, rulesets.ruleset_schema,
            tables.create_table, tables.table, tables.sit, tables.leave, tables.start,
            tables.view, tables.events, tables.undo, tables.prefer, tables.rematch, tables.record, tables.proof,
            streams.stream_table, streams.stream_me,
            lists.list_tables, lists.own_tables, lists.positions, lists.records, lists.frames, lists.statistics,
        ],
    ),
]
# Any page may read and, with a token in the header, write: there are no cookies that a page could misuse.
CORS = CORSConfig(
    allow_origins=["*"],
    allow_methods=["GET", "POST", "DELETE"],
    allow_headers=[
        "Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID", "Prefer", "X-Request-Id",
    ],
    expose_headers=["ETag", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"],
)


def part(name: str) -> Provide:
    """The service of this name, for the handlers that have a parameter called so."""

    async def provide(state: State) -> Any:
        return getattr(state.parts, name)

    return Provide(provide)


DEPENDENCIES = {
    **{name: part(name) for name in Parts.__struct_fields__},
    "player": Provide(provide_player),
    "visitor": Provide(provide_visitor),
}


@get(f"{PREFIX}/openapi.json", include_in_schema=False)
async def document(request: Request[Any, Any, Any]) -> Response[bytes]:
    return await kept(request, openapi.encoded(), MediaType.JSON, {})


def application(parts: Parts, limits: Limits | None) -> Litestar:
    """`limits`: None lets everybody ask as often as they like."""
    return Litestar(
        [*ROUTES, document, docs.page, docs.asset, web.page, web.asset],
        dependencies=DEPENDENCIES,
        exception_handlers=errors.HANDLERS,
        middleware=[LimitRequests(limits)] if limits else [],
        before_request=strictness.check,
        request_max_body_size=strictness.LARGEST_BODY,
        cors_config=CORS,
        openapi_config=None,
        logging_config=None,
        state=State({"parts": parts}),
    )
