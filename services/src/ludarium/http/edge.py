"""The outermost ASGI application, which surrounds all routes.

It handles request ids, common headers, HEAD, OPTIONS, log lines and metrics.
"""

import asyncio
import logging
import re
from collections.abc import Collection, Iterable
from time import perf_counter
from typing import Any

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from ludarium.http.cors import Cors, Headers
from ludarium.http.strictness import without_mark
from ludarium.platform import metrics
from ludarium.platform.logs import told
from ludarium.platform.request_context import GIVEN_ID, Exchange, current, new_id
from ludarium.platform.traces import Span, span

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
PROBES = {"/healthz", "/readyz"}
"""Paths of health checks, which are requested every few seconds and only logged when they fail."""
GONE = 499
"""Status in logs and traces for a client that did not wait for the response."""
log = logging.getLogger(__name__)
Resources = list[tuple[re.Pattern[str], str]]
"""The methods of each path."""


class Line:
    """Writes the log line, the metrics and the trace of one request.

    They contain the template of the route instead of the path, and no input.
    """

    def __init__(self, method: str) -> None:
        self._method = method if method in METHODS else "other"
        self._began = perf_counter()
        self._status = GONE

    def begins(self, status: int) -> None:
        """Record that the status and headers of the response are sent."""
        self._status = status
        metrics.series(metrics.http_head, metrics.READS.get(self._method, self._method)).observe(self._seconds())

    def ends(self, route: str | None, spanned: Span) -> None:
        """Record the end of the request.

        Args:
            route: the template of the route, None if no route has this path.
            spanned: the request's span.
        """
        spanned.tell(f"{self._method} {route or 'none'}", {
            "http.request.method": self._method, "http.route": route or "none", "http.response.status_code": self._status,
        })  # fmt: skip
        metrics.answered_http(self._method, route, self._status)
        if route not in PROBES or self._status != 200:
            ms = round(self._seconds() * 1000, 1)
            told(log, "http", method=self._method, route=route, status=self._status, ms=ms)

    def _seconds(self) -> float:
        return perf_counter() - self._began


async def send_head(send: Send, headers: Headers) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def lived(receive: Receive, send: Any) -> None:
    """Acknowledge the ASGI lifespan events without doing anything.

    The code that runs the server starts and stops the application's parts itself.
    """
    for stage in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{stage}.complete"})


class Edge:
    """The outermost ASGI application."""

    def __init__(self, app: ASGIApp, resources: Resources, cors: Cors) -> None:
        self._app, self._resources, self._cors = app, resources, cors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await lived(receive, send)
            return
        exchange = Exchange(request_id(scope), {"x-content-type-options": "nosniff"})
        exchange.headers["x-request-id"] = exchange.id
        current.set(exchange)
        line = Line(scope["method"])

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._complete(message, scope, exchange)
                line.begins(message["status"])
            await send(message)

        with span("http") as spanned:
            try:
                await self._answered(scope, receive, completed)
            finally:
                line.ends(scope.get("path_template"), spanned)

    async def _answered(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS" and is_preflight(scope):
            await send_head(send, self._cors.preflight)
        elif scope["method"] == "OPTIONS" and (methods := self._methods(scope["path"])):
            await send_head(send, [(b"allow", methods.encode())])
        elif scope["method"] == "HEAD":
            ended = asyncio.Event()
            asked: Any = {**scope, "method": "GET"}
            await self._app(asked, gone_after(ended), beheaded(send, ended))
            scope["path_template"] = asked.get("path_template")
        else:
            await self._app(scope, without_mark(receive), send)

    def _complete(self, message: HTTPResponseStartEvent, scope: HTTPScope, exchange: Exchange) -> None:
        given = ((name.encode(), value.encode()) for name, value in exchange.headers.items())
        headers = [*message["headers"], *self._cors.answer, *given]
        if message["status"] == 405:                    # Litestar names only the methods that it knows
            headers = [header for header in headers if header[0] != b"allow"]
            headers.append((b"allow", self._methods(scope["path"]).encode()))
        message["headers"] = guarded(headers, scope, exchange.vary)

    def _methods(self, path: str) -> str:
        return next((methods for pattern, methods in self._resources if pattern.fullmatch(path)), "")


def resources_of(app: Litestar) -> Resources:
    routes = [route for route in app.routes if isinstance(route, HTTPRoute)]
    return [(pattern_of(route.path_format), allowed({*map(str, route.route_handler_map)})) for route in routes]


def pattern_of(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path) + "/?")


def allowed(methods: set[str]) -> str:
    """Return the value of the Allow header for these methods."""
    return ", ".join(sorted({*methods, "OPTIONS", *(("HEAD",) if "GET" in methods else ())}))


def request_id(scope: HTTPScope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"")
    return given.decode() if GIVEN_ID.fullmatch(given) else new_id()


def is_preflight(scope: HTTPScope) -> bool:
    return any(name == b"access-control-request-method" for name, _ in scope["headers"])


def beheaded(send: Send, ended: asyncio.Event) -> Send:
    """Send only the status and headers of a response.

    `ended` is then set, since the body of a stream would never end.
    """

    async def head_only(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            ended.set()

    return head_only


def gone_after(ended: asyncio.Event) -> Receive:
    """Simulate a client that disconnects once `ended` is set; GET handlers then stop."""

    async def receive() -> Any:
        await ended.wait()
        return {"type": "http.disconnect"}

    return receive


# --- caching of answers, and the request headers that they depend on --------------------------------------------------
PREFIX = "/api/"
READS = ("GET", "HEAD")


def guarded(headers: Headers, scope: HTTPScope, vary: Collection[str]) -> Headers:
    """Add `Vary` and, for personal responses, `Cache-Control: no-store`.

    A response is personal if the request has a token or changes something. If a handler has set `Cache-Control`, that
    value is kept; `public` responses are the same for everyone.
    """
    cache = value_of(headers, b"cache-control")
    personal = scope["path"].startswith(PREFIX) and not (cache or b"").startswith(b"public")
    names = {*vary, *named(headers), *(("Authorization",) if personal else ())}
    added = [(b"vary", ", ".join(sorted(names)).encode())] if names else []
    own = scope["method"] not in READS or value_of(scope["headers"], b"authorization") is not None
    if personal and own and cache is None:
        added.append((b"cache-control", b"no-store"))
    return [*(header for header in headers if header[0] != b"vary"), *added]


def named(headers: Headers) -> Iterable[str]:
    """Return the request headers that the `Vary` header of a response names."""
    fields = [value.decode("latin-1") for name, value in headers if name == b"vary"]
    return (part.strip().title() for field in fields for part in field.split(","))


def value_of(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    return next((value for key, value in headers if key == name), None)
