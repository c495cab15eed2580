"""Routes for the caller's bots: create, list, renew tokens and delete."""

from typing import Annotated

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from ludarium.accounts.access import Access
from ludarium.accounts.bots import Bot, Bots, BotWithToken, NewBot, Scopes
from ludarium.http.operations import operation
from ludarium.http.parameters import GuestKey
from ludarium.platform import ids

AccessDep = NamedDependency[Access]
BotsDep = NamedDependency[Bots]
BotId = Annotated[str, PathParameter(description="The bot's id.", schema_extra={"pattern": ids.PATTERN})]


class BotScopes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The new scopes of the bot."""

    scopes: Scopes


@post(
    "/me/bots", tags=["players"],
    opt=operation(
        "account-needed", "unkind-words", "too-many-bots", "key-reused", "banned", need="signed-in",
        example={"name": "Ada's robot", "scopes": ["me:read", "tables", "play"]},
    ),
)  # fmt: skip
async def create_bot(data: JSONBody[NewBot], access: AccessDep, bots: BotsDep, key: GuestKey = None) -> BotWithToken:
    """Create a bot: a separate player for your program, marked as yours.

    Its token is returned only once. A bot cannot join quick matches or rated tables, and does not count in statistics.
    A game does not wait for it after the last person has left.
    """
    return await bots.make(access, data, key)


@get("/me/bots", tags=["players"], opt=operation(need="session"))
async def list_bots(access: AccessDep, bots: BotsDep) -> list[Bot]:
    """List your bots.

    The newest first.
    """
    return await bots.all(access)


@post(
    "/me/bots/{bot_id:str}/token", tags=["players"],
    opt=operation("not-found", "key-reused", need="signed-in", example={"scopes": ["me:read", "tables", "play"]}),
)  # fmt: skip
async def renew_bot_token(
    bot_id: BotId, data: JSONBody[BotScopes], access: AccessDep, bots: BotsDep, key: GuestKey = None
) -> BotWithToken:
    """Replace the token of one of your bots; the old one ends.

    The new token has these scopes, and is returned only once.
    """
    return await bots.renew(access, bot_id, data.scopes, key)


@delete("/me/bots/{bot_id:str}", tags=["players"], opt=operation("not-found", need="session"))
async def close_bot(bot_id: BotId, access: AccessDep, bots: BotsDep) -> None:
    """Close one of your bots.

    Its token ends immediately, and its sockets within two seconds. Its games treat it as absent.
    """
    await bots.close(access, bot_id)
