"""Routes to list, make and revoke the caller's tokens."""

from typing import Annotated

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.sign_ins import SignIn
from ludarium.accounts.tokens import IssuedToken, NewToken, TokenBody
from ludarium.http.operations import operation
from ludarium.http.parameters import GuestKey
from ludarium.platform import ids

AccessDep = NamedDependency[Access]
TokenId = Annotated[str, PathParameter(description="The token's id, not its secret.", schema_extra={"pattern": ids.PATTERN})]


@get("/me/tokens", tags=["players"], opt=operation(need="session"))
async def list_tokens(access: AccessDep, accounts: NamedDependency[Accounts]) -> list[TokenBody]:
    """List your sessions, personal tokens and apps, the newest first.

    Expired tokens are left out. `current` is the token of this request.
    """
    return await accounts.tokens.all(access)


@get("/me/sign-ins", tags=["players"], opt=operation(need="session"))
async def list_sign_ins(access: AccessDep, accounts: NamedDependency[Accounts]) -> list[SignIn]:
    """List your sign-ins and failed attempts, the newest first.

    The list has the last 50 of each from the last 180 days. `network` and `client` say roughly where they came from.
    `current` marks the session of this request.
    """
    return await accounts.tokens.sign_ins.all(access)


@post(
    "/me/tokens", tags=["players"],
    opt=operation(
        "insufficient-scope", "too-many-tokens", "key-reused", "banned", need="signed-in",
        example={"name": "My bot", "scopes": ["me:read", "play"], "days": 90},
    ),
)  # fmt: skip
async def create_token(
    data: JSONBody[NewToken], access: AccessDep, accounts: NamedDependency[Accounts], key: GuestKey = None
) -> IssuedToken:
    """Make a token for one of your programs.

    Its `secret` is returned only once. It cannot have scopes that you lack, and loses every scope that you lose.
    """
    return await accounts.tokens.make(access, data, key)


@delete("/me/tokens/{token_id:str}", tags=["players"], opt=operation("not-found", need="session"))
async def revoke_token(token_id: TokenId, access: AccessDep, accounts: NamedDependency[Accounts]) -> None:
    """Revoke one of your tokens of any kind.

    Its sockets and streams are closed within two seconds.
    """
    await accounts.tokens.revoke(access.player.id, token_id)


@delete("/me/token", tags=["players"], opt=operation(need="token"))
async def end_session(access: AccessDep, accounts: NamedDependency[Accounts]) -> None:
    """Sign out: revoke the token of this request.

    A guest without a rejoin code cannot come back.
    """
    await accounts.tokens.end_one(access.token)
