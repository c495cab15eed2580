"""Find out where a request comes from, for handlers that record this."""

from typing import Any

from litestar import Request

from ludarium.accounts.secrets import TOKEN, digest
from ludarium.accounts.sign_ins import Visit
from ludarium.http.auth import bearer
from ludarium.http.negotiation import locale_of
from ludarium.http.rate_limits import address_of

LONGEST_AGENT = 512


async def provide_visit(request: Request[Any, Any, Any]) -> Visit:
    token = bearer(request.scope) or ""
    return Visit(
        address_of(request.scope), request.headers.get("user-agent", "")[:LONGEST_AGENT],
        digest(token) if TOKEN.fullmatch(token) else None, locale_of(request.scope),
    )  # fmt: skip
