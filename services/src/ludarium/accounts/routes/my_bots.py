"""Bots of one's own: made, listed, given a new token, closed."""

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
    """What the bot may do from now on."""

    scopes: Scopes


@post(
    "/me/bots", tags=["players"],
    opt=operation(
        "account-needed", "unkind-words", "too-many-bots", "key-reused", "banned", need="signed-in",
        example={"name": "Ada's robot", "scopes": ["me:read", "tables", "play"]},
    ),
)  # fmt: skip
async def create_bot(data: JSONBody[NewBot], access: AccessDep, bots: BotsDep, key: GuestKey = None) -> BotWithToken:
    """Make a bot: a player of its own, for a program of one's own, under a badge that says whose it is.

    Its token is told this once. It counts as nobody: it is at no quick match and no rated table, in no figures, and no game
    waits for it when the last person has gone.
    """
    return await bots.make(access, data, key)


@get("/me/bots", tags=["players"], opt=operation(need="session"))
async def list_bots(access: AccessDep, bots: BotsDep) -> list[Bot]:
    """The bots that one has made.

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
    """A new token for a bot of one's own, in the place of the one before, which ends.

    It has these scopes, and is told this once.
    """
    return await bots.renew(access, bot_id, data.scopes, key)


@delete("/me/bots/{bot_id:str}", tags=["players"], opt=operation("not-found", need="session"))
async def close_bot(bot_id: BotId, access: AccessDep, bots: BotsDep) -> None:
    """Close a bot of one's own.

    Its token ends, its sockets within two seconds; games go on without it, as when somebody is away.
    """
    await bots.close(access, bot_id)
