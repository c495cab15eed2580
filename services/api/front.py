"""What stands before Litestar: commands, the hot route, are answered here; everything else goes on.

A route of Litestar costs as much CPU as the whole command, and its cheap one, `@asgi`, takes no path parameters. What
stands around a route there - problems, CORS - is therefore said once more here; what every exchange has is `edge`'s.
"""

import re
from typing import cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from services.api.app import CORS, application
from services.api.auth import caller
from services.api.edge import Edge, resources_of
from services.api.errors import MEDIA_TYPE, encoded, headers_of, problem_of
from services.api.limits import Limits, buckets_of
from services.api.state import Parts
from services.api.strictness import LARGEST_BODY, Gone
from services.languages import preferred
from services.problems import Problem

COMMANDS = re.compile(r"/api/v1/tables/(?P<table>[^/]+)/commands")
OPEN_TO_ALL = {"access-control-allow-origin": "*", "access-control-expose-headers": ", ".join(CORS.expose_headers)}


def served(parts: Parts, limits: Limits | None) -> Edge:
    """The whole HTTP service. `limits`: None lets everybody ask as often as they like."""
    app = application(parts, limits)
    return Edge(cast(ASGIApp, Front(app, parts, limits)), resources_of(app, {"/api/v1/tables/{table_id}/commands": {"POST"}}))


class Front:
    """An ASGI application."""

    def __init__(self, app: ASGIApp, parts: Parts, limits: Limits | None) -> None:
        self._app, self._parts, self._limits = app, parts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = COMMANDS.fullmatch(scope["path"]) if scope["type"] == ScopeType.HTTP else None
        if found is None or cast(HTTPScope, scope)["method"] == "OPTIONS":
            await self._app(scope, receive, send)
        else:
            await self._answered(cast(HTTPScope, scope), receive, send, found["table"])

    async def _answered(self, scope: HTTPScope, receive: Receive, send: Send, table: str) -> None:
        headers = {"content-type": "application/json", **OPEN_TO_ALL}
        try:
            if scope["method"] != "POST":
                raise Problem("method-not-allowed")
            if self._limits:
                await self._limits.count(buckets_of(scope))
            status, body = 200, await self._command(scope, receive, table, headers)
        except Exception as error:
            problem, locale = problem_of(error, scope["path"]), locale_of(scope)
            status, body = problem.kind.status, encoded(problem, scope["path"], locale)
            headers |= {**headers_of(problem, locale), "content-type": MEDIA_TYPE}
        await respond(send, status, headers, body)

    async def _command(self, scope: HTTPScope, receive: Receive, table: str, headers: dict[str, str]) -> bytes:
        player = await caller(scope, self._parts.accounts)
        asked = dict(scope["headers"])
        key = asked.get(b"idempotency-key")
        minimal = b"return=minimal" in asked.get(b"prefer", b"")
        if minimal:
            headers["preference-applied"] = "return=minimal"
        return await self._parts.commands.submit(
            player.id, table, key.decode("latin-1") if key is not None else None, await body_of(receive),
            minimal=minimal,
        )  # fmt: skip


def locale_of(scope: HTTPScope) -> str:
    return preferred(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))


async def body_of(receive: Receive) -> bytes:
    """Raises Problem `body-too-large`; Gone."""
    chunks: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        size += len(message["body"])
        if size > LARGEST_BODY:
            raise Problem("body-too-large")
        chunks.append(message["body"])
        more = message["more_body"]
    return b"".join(chunks)


async def respond(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    told = [(name.encode(), value.encode()) for name, value in headers.items()]
    told.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body, "more_body": False})
