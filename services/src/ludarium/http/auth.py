"""Authenticate callers by a bearer token in a header, never in a URL or cookie."""

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.types import Scope

from ludarium.accounts.access import Access, Need, Player
from ludarium.accounts.accounts import Accounts
from ludarium.platform.problems import Problem


def bearer(scope: Scope) -> str | None:
    """Return the token in the Authorization header without checking it."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return None


async def caller(scope: Scope, accounts: Accounts, need: Need) -> Access:
    """Return the caller's access.

    Args:
        need: the permission that the operation requires.

    Raises:
        Problem: `unauthenticated`, `invalid-token`, and those of `Access.check`.
    """
    token = bearer(scope)
    if token is None:
        raise Problem("unauthenticated")
    access = await accounts.tokens.access(token)
    access.check(need)
    return access


def need_of(handler: Any) -> Need:
    """Return the permission that an operation requires, from the handler's `opt`.

    Raises:
        KeyError: the handler does not declare the permission.
    """
    need: Need = handler.opt["need"]
    return need


async def provide_access(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Access:
    return await caller(request.scope, accounts, need_of(request.scope["route_handler"]))


async def provide_player(access: NamedDependency[Access]) -> Player:
    return access.player


async def provide_visitor(request: Request[Any, Any, Any], accounts: NamedDependency[Accounts]) -> Access | None:
    """Return the caller's access, None without a token. A given token must be valid."""
    return None if bearer(request.scope) is None else await caller(request.scope, accounts, "token")
