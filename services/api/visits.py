"""Where a request comes from, for the handlers that record it."""

from typing import Any

from litestar import Request

from services.accounts.secrets import TOKEN, digest
from services.accounts.sign_ins import Visit
from services.api.auth import bearer
from services.api.rate_limits import address_of
from services.languages import preferred

LONGEST_AGENT = 512


async def provide_visit(request: Request[Any, Any, Any]) -> Visit:
    token = bearer(request.scope) or ""
    return Visit(
        address_of(request.scope), request.headers.get("user-agent", "")[:LONGEST_AGENT],
        digest(token) if TOKEN.fullmatch(token) else None, preferred(request.headers.get("accept-language", "")),
    )  # fmt: skip
