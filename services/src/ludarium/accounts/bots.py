"""Players' bots: accounts for programs, each owned by the player responsible."""

from datetime import datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.keys import Keys
from ludarium.accounts.names import MAX_NAME_LENGTH, checked_name
from ludarium.accounts.secrets import FORMS
from ludarium.accounts.tokens import TokenGrant, Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import SECRET_KEY, identity_of
from ludarium.platform.problems import Problem

MAX_BOTS = 5
"""Maximum number of bots per player."""
TOKEN_LIFE = timedelta(days=365)
"""Lifetime of a bot's token; renewing it starts a new one."""
TOKEN_NAME = "token"
BotScope = Literal["me:read", "tables", "play", "chat"]
Scopes = Annotated[list[BotScope], Meta(min_length=1, max_length=4)]
"""The scopes that the owner gives the bot, which needs `tables` to sit down."""


class NewBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to create.

    `scopes` are what its owner allows. To sit down, it needs `tables`.
    """

    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH, examples=["Ada's robot"])]
    scopes: Scopes


class Bot(msgspec.Struct, frozen=True):
    """A bot of the caller.

    `scopes` are those of its token, which expires at `expires_at`. After that, `scopes` is empty.
    """

    id: str
    name: str
    scopes: list[BotScope]
    created_at: datetime
    expires_at: datetime | None


class BotWithToken(msgspec.Struct, frozen=True):
    """A bot with its new token, which is returned only once."""

    bot: Bot
    token: str


class Bots:
    def __init__(self, database: Database, tokens: Tokens, keys: Keys) -> None:
        self._database, self._tokens, self._keys = database, tokens, keys

    async def make(self, owner: Access, bot: NewBot, key: str | None = None) -> BotWithToken:
        """Create a bot for the owner.

        Raises:
            Problem: `account-needed`, `banned`, `invalid-request`, `unkind-words`, `too-many-bots`, `key-reused`.
        """
        if owner.player.kind != "account":
            raise Problem("account-needed")
        owner.check_ban()
        name = checked_name(bot.name)
        bot_id = await self._keys.made(identity_of(key, owner.player.id, bot, SECRET_KEY), "bot", owner.player.id, name)
        await self._database.row_one_at_a_time(
            ids.decode(owner.player.id),
            """insert into accounts.players (id, kind, name, owner_id)
               select $1, 'bot', $3, $2 where (select count(*) from accounts.players where owner_id = $2) < $4
               on conflict do nothing""",
            bot_id, ids.decode(owner.player.id), name, MAX_BOTS,
        )  # fmt: skip
        if ids.encode(bot_id) not in [bot.id for bot in await self.all(owner)]:
            raise Problem("too-many-bots", f"at most {MAX_BOTS}")
        return await self._with_token(owner, bot_id, bot.scopes, key)

    async def all(self, owner: Access) -> list[Bot]:
        """Return the owner's bots, newest first."""
        rows = await self._database.rows(
            """select p.id, p.name, coalesce(t.scopes, '{}') as scopes, p.created_at, t.expires_at
               from accounts.players p left join accounts.tokens t on t.player_id = p.id and t.expires_at > now()
               where p.owner_id = $1 order by p.created_at desc, p.id""",
            ids.decode(owner.player.id),
        )
        return [Bot(ids.encode(row[0]), *row[1:]) for row in rows]

    async def renew(self, owner: Access, bot: str, scopes: Scopes, key: str | None = None) -> BotWithToken:
        """Replace the bot's token. Raises Problem `not-found`, `key-reused`."""
        player = await self._own(owner, bot)
        token_id = await self._keys.made(identity_of(key, owner.player.id, (bot, scopes), SECRET_KEY), "bot's token", bot)
        return await self._with_token(owner, player, scopes, key, token_id)

    async def close(self, owner: Access, bot: str) -> None:
        """Delete the bot and its token; its games continue without it.

        Raises:
            Problem: `not-found`.
        """
        player = await self._own(owner, bot)
        await self._tokens.revoke_all(player)
        await self._database.row("delete from accounts.players where id = $1", player)

    async def _own(self, owner: Access, bot: str) -> UUID:
        if bot not in [each.id for each in await self.all(owner)]:
            raise Problem("not-found")
        return ids.decode(bot)

    async def _with_token(
        self, owner: Access, bot: UUID, scopes: Scopes, key: str | None, made: UUID | None = None
    ) -> BotWithToken:
        """Issue a token for the bot and revoke all its other tokens.

        As each bot has only one token, a limit per token is a limit per bot.
        """
        grant = TokenGrant("personal", TOKEN_NAME, scopes, TOKEN_LIFE, FORMS["bot"])
        secret, access = await self._tokens.issue(bot, grant, made or bot, key)
        await self._tokens.revoke_all(bot, but=access.token)
        return BotWithToken(next(each for each in await self.all(owner) if each.id == access.player.id), secret)
