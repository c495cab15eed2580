"""Authentication by a bearer token in the header, never in the URL or a cookie."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.types import Scope

from ludarium.accounts.access import Access, Need, Player
from ludarium.accounts.accounts import Accounts
from ludarium.platform.problems import Problem


def bearer(scope: Scope) -> str | None:
    """Return the token of the Authorization header, valid or not."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


async def caller(scope: Scope, accounts: Accounts, need: Need) -> Access:
    """Return the caller's access.

    Raises:
        Problem: `unauthenticated`, `invalid-token`, and as `Access.check`.
    """
    token = bearer(scope)
    if token is None:
        raise Problem("unauthenticated")
    access = await accounts.tokens.access(token)
    access.check(need)
    return access


def need_of(handler: Any) -> Need:
    """Return what the operation's `opt` says that its caller needs.

    KeyError if it says nothing.
    """
    need: Need = handler.opt["need"]
    return need


async def provide_access(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Access:
    return await caller(request.scope, accounts, need_of(request.scope["route_handler"]))


async def provide_player(access: NamedDependency[Access]) -> Player:
    return access.player


async def provide_visitor(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Access | None:
    """Return the caller, None without a token; a given token must be valid."""
    return None if bearer(request.scope) is None else await caller(request.scope, accounts, "token")
