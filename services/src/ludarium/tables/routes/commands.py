"""The route for commands, and a fast path for nearly all of them.

A Litestar route uses as much CPU as the whole command, and its cheap kind, `@asgi`, takes no path parameters. So
requests for the operation's path are answered before Litestar's routing. Both ways use the same functions for rate
limits, errors and headers.

See docs/decisions/004.
"""

import re
from time import monotonic
from typing import Annotated, cast
from urllib.parse import parse_qs

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.params import HeaderParameter, JSONBody
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from ludarium.api.state import AppState
from ludarium.http.answers import AnyRequest
from ludarium.http.auth import caller, need_of
from ludarium.http.errors import MEDIA_TYPE, encoded, headers_of, problem_of
from ludarium.http.negotiation import asked, locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import KEY, Key, TableId, TextLocale
from ludarium.http.rate_limits import COMMANDS, RateLimits, buckets_of
from ludarium.http.strictness import LARGEST_BODY, Gone
from ludarium.http.texts import answered_in_words
from ludarium.platform.locale import TAG_OR_AUTO
from ludarium.platform.problems import FieldError, Problem
from ludarium.tables.commands import Commands
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.routes.tables import ACTED, Caller
from ludarium.tables.schemas import Command
from ludarium.tables.texts import TableTexts

TEMPLATE = "/api/v1/tables/{table_id}/commands"
PATH = re.compile(r"/api/v1/tables/(?P<table>[^/]+)/commands")
MINIMAL = "return=minimal"
APPLIED = {"preference-applied": MINIMAL}
Prefer = Annotated[
    str | None,
    HeaderParameter(
        name="Prefer",
        max_length=256,
        description=f"`{MINIMAL}` leaves the view out of the answer; other wishes are passed over.",
    ),
]


@post(
    "/tables/{table_id:str}/commands", tags=["tables"], status_code=200,
    opt=operation(
        *ACTED, need="play", texts=True, headers=("Preference-Applied",),
        example={"expected_seq": 7, "action": {"id": "lead:3", "subset": [12, 48]}},
    ),
)  # fmt: skip
async def post_command(
    table_id: TableId,
    data: JSONBody[Command],
    request: AnyRequest,
    player: Caller,
    commands: NamedDependency[Commands],
    table_texts: NamedDependency[TableTexts],
    key: Key = None,
    prefer: Prefer = None,
    locale: TextLocale = None,
) -> Response[Accepted]:
    """Answer the question that your seat is asked.

    The command is accepted if and only if two conditions hold: `since` of the choice <= `expected_seq` <= `seq` of the
    table, and the action is one of the choice's offers. If `expected_seq` is too old, the refusal contains the missed
    events. If you also send the `head` of your view, the command is refused if a fail-over has lost the newest event of
    that view.
    """
    minimal = MINIMAL in (prefer or "")

    work = commands.take(player.id, table_id, key, data, minimal=minimal)
    answer = await answered_in_words(request, table_texts, table_id, player.id, locale, work)
    if minimal:
        answer.headers.update(APPLIED)
    return answer


class FastPath:
    """An ASGI application that answers `post_command`; the rest goes to `app`."""

    def __init__(self, app: ASGIApp, parts: AppState, limits: RateLimits | None) -> None:
        self._app, self._parts, self._limits = app, parts, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = PATH.fullmatch(scope["path"]) if scope["type"] == ScopeType.HTTP else None
        if found is None or cast(HTTPScope, scope)["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            await self._answered(cast(HTTPScope, scope), receive, send, found["table"])

    async def _answered(self, scope: HTTPScope, receive: Receive, send: Send, table: str) -> None:
        headers = {"content-type": "application/json"}
        scope["path_template"] = TEMPLATE
        tag = tag_of(scope)
        try:
            if self._limits:
                await self._limits.count(buckets_of(scope, COMMANDS))
            status, body = 200, await self._command(scope, receive, table, tag, headers)
        except Exception as error:
            problem, locale = problem_of(error, scope["path"]), locale_of(scope, tag)
            status, body = problem.kind.status, encoded(problem, scope["path"], locale, texts=tag is not None)
            headers |= {**headers_of(problem, locale), "content-type": MEDIA_TYPE}
        await respond(send, status, headers, body)

    async def _command(
        self, scope: HTTPScope, receive: Receive, table: str, tag: str | None, headers: dict[str, str]
    ) -> bytes:
        came = monotonic()
        player = (await caller(scope, self._parts.accounts, need_of(post_command))).player
        took = monotonic() - came
        key = dict(scope["headers"]).get(KEY_HEADER)
        minimal = MINIMAL in asked(scope, "Prefer")
        if minimal:
            headers |= APPLIED
        locale = checked_locale(scope, tag)
        if locale is not None:
            headers |= {"content-language": locale}
        body = await body_of(receive)
        received = monotonic() - took           # of the body, which waited while its sender was looked up
        work = self._parts.commands.submit(
            player.id, table, key.decode("latin-1") if key is not None else None, body,
            received=received, minimal=minimal,
        )  # fmt: skip
        return await self._parts.table_texts.answered(table, player.id, locale, work)


def tag_of(scope: HTTPScope) -> str | None:
    """Return `locale` of the query."""
    query = scope["query_string"]
    return parse_qs(query.decode("latin-1"), keep_blank_values=True).get("locale", [None])[-1] if query else None


def checked_locale(scope: HTTPScope, tag: str | None) -> str | None:
    """Return the locale of the texts that a request asks for, None if it asks for none.

    Raises:
        Problem: `invalid-request`.
    """
    if tag is None:
        return None
    if not re.fullmatch(TAG_OR_AUTO, tag):
        raise Problem("invalid-request", errors=[FieldError("locale", "a language tag, or `auto`")])
    return locale_of(scope, tag)


KEY_HEADER = str(KEY.name).lower().encode()


async def body_of(receive: Receive) -> bytes:
    """Read the body.

    Raises:
        Problem: `body-too-large`.
        Gone: The client has disconnected.
    """
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
