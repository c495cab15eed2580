"""What every exchange over HTTP has, whoever answers it: an id, its headers, HEAD wherever GET is, and OPTIONS."""

import asyncio
import re
import secrets
from typing import Any, cast

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from services.exchange import Exchange, current

GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""A proxy's own request id, if it has one. Anybody may say so: it names lines of a log and decides nothing."""
Resources = list[tuple[re.Pattern[str], str]]
"""The methods of each path."""


class Edge:
    """An ASGI application around the others."""

    def __init__(self, app: ASGIApp, resources: Resources) -> None:
        self._app, self._resources = app, resources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        exchange = Exchange(request_id(scope), {"x-content-type-options": "nosniff"})
        exchange.headers["x-request-id"] = exchange.id
        current.set(exchange)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._complete(message, scope, exchange)
            await send(message)

        await self._answered(scope, receive, told)

    async def _answered(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS" and not is_preflight(scope) and (methods := self._methods(scope["path"])):
            await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", methods.encode())]})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif scope["method"] == "HEAD":
            ended = asyncio.Event()
            await self._app(cast(Any, {**scope, "method": "GET"}), gone_after(ended), beheaded(send, ended))
        else:
            await self._app(scope, receive, send)

    def _complete(self, message: HTTPResponseStartEvent, scope: HTTPScope, exchange: Exchange) -> None:
        headers = [*message["headers"], *((name.encode(), value.encode()) for name, value in exchange.headers.items())]
        if message["status"] == 405:                    # Litestar names those that it knows of itself
            headers = [header for header in headers if header[0] != b"allow"]
            headers.append((b"allow", self._methods(scope["path"]).encode()))
        message["headers"] = headers

    def _methods(self, path: str) -> str:
        return next((methods for pattern, methods in self._resources if pattern.fullmatch(path)), "")


def resources_of(app: Litestar) -> Resources:
    routes = [route for route in app.routes if isinstance(route, HTTPRoute)]
    return [(pattern_of(route.path_format), allowed({*map(str, route.route_handler_map)})) for route in routes]


def pattern_of(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path) + "/?")


def allowed(methods: set[str]) -> str:
    """As the header Allow says it."""
    return ", ".join(sorted({*methods, "OPTIONS", *(("HEAD",) if "GET" in methods else ())}))


def request_id(scope: HTTPScope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"")
    return given.decode() if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)


def is_preflight(scope: HTTPScope) -> bool:
    return any(name == b"access-control-request-method" for name, _ in scope["headers"])


def beheaded(send: Send, ended: asyncio.Event) -> Send:
    """Sends the head of an answer alone; a stream would have no end."""

    async def head_only(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            ended.set()

    return head_only


def gone_after(ended: asyncio.Event) -> Receive:
    """The client as it looks to who answers GET in full: it goes when it has the head."""

    async def receive() -> Any:
        await ended.wait()
        return {"type": "http.disconnect"}

    return receive
