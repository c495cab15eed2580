"""The HTTP application: routes and what stands around each of them."""

from typing import Any

from litestar import Litestar, Router, get
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler

from services.api import docs, errors, guests, health, openapi, root
from services.api.auth import provide_player, provide_visitor
from services.api.limits import LimitRequests, Limits
from services.api.state import Services

LARGEST_BODY = 64 * 1024
"""Bytes."""
PREFIX = "/api/v1"
ROUTES: list[BaseRouteHandler | Router] = [
    health.healthz,
    health.readyz,
    Router(PREFIX, route_handlers=[root.root, guests.new_guest, guests.rejoin, guests.me]),
]
# Any page may read and, with a token in the header, write: there are no cookies that a page could misuse.
CORS = CORSConfig(
    allow_origins=["*"],
    allow_methods=["GET", "POST", "DELETE"],
    allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Prefer"],
    expose_headers=["ETag", "Retry-After", "RateLimit-Limit", "RateLimit-Remaining"],
)


def part(name: str) -> Provide:
    """The service of this name, for the handlers that have a parameter called so."""

    async def provide(state: State) -> Any:
        return getattr(state.services, name)

    return Provide(provide)


DEPENDENCIES = {
    **{name: part(name) for name in Services.__struct_fields__},
    "player": Provide(provide_player),
    "visitor": Provide(provide_visitor),
}


@get(f"{PREFIX}/openapi.json", include_in_schema=False)
async def document() -> bytes:
    return openapi.encoded()


def application(services: Services, limits: Limits | None) -> Litestar:
    """`limits`: None lets everybody ask as often as they like."""
    return Litestar(
        [*ROUTES, document, docs.page, docs.asset],
        dependencies=DEPENDENCIES,
        exception_handlers=errors.HANDLERS,
        middleware=[LimitRequests(limits)] if limits else [],
        request_max_body_size=LARGEST_BODY,
        cors_config=CORS,
        openapi_config=None,
        logging_config=None,
        state=State({"services": services}),
    )
