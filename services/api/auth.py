"""Who is asking: a bearer token in the header, never in the URL, never in a cookie."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.types import Scope

from services.accounts.accounts import Accounts, Player
from services.problems import Problem


def bearer(scope: Scope) -> str | None:
    """The token of the header Authorization, whatever it may be worth."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


async def caller(scope: Scope, accounts: Accounts) -> Player:
    """Raises Problem `unauthenticated`, `invalid-token`."""
    token = bearer(scope)
    if token is None:
        raise Problem("unauthenticated")
    return await accounts.player(token)


async def provide_player(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Player:
    return await caller(request.scope, accounts)


async def provide_visitor(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Player | None:
    """The caller, or None for somebody without a token; a token that is given must be valid."""
    return None if bearer(request.scope) is None else await caller(request.scope, accounts)
