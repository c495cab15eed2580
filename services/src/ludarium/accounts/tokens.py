"""Tokens, which are looked up by hash and valid until they expire or are revoked.

The token of a session may do everything that its player may do. Tokens of other kinds have scopes, further limited to
what their player may currently do.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import asyncpg
import msgspec
from cachetools import TTLCache
from msgspec import Meta

from ludarium.accounts.access import STAFF_TOKEN_AGE, Access, Ban, Kind, Player, Scope, scopes_allowed
from ludarium.accounts.keys import Keys
from ludarium.accounts.names import is_plain
from ludarium.accounts.secrets import DIGEST, FORMS, TOKEN, digest, new_key, new_salt, token_of
from ludarium.accounts.sign_ins import INSERT_SIGN_IN, SignIns, Visit, Way, origin_of
from ludarium.platform import ids
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.idempotency import SECRET_KEY, identity_of
from ludarium.platform.problems import FieldError, Problem

log = logging.getLogger(__name__)
MAX_SESSIONS = 10
"""Maximum number of sessions per player. A further session ends the oldest."""
MAX_TOKENS = 50
"""Maximum number of personal tokens per player, not counting sessions and tokens of apps."""
SESSION_LIFE = timedelta(days=180)
"""Lifetime of an unused session; each use extends it."""
MAX_DAYS = 365
"""Maximum lifetime of a personal token, in days."""
CACHE_SIZE = 10_000
"""Tokens cached in a process, each for CACHE_SECONDS."""
CACHE_SECONDS = 30.0
DELETE_AFTER = timedelta(days=1)
"""Time after expiry until a token is deleted. Until then, a repeated Idempotency-Key returns the token again."""
BATCH_SIZE = 2000
"""Tokens checked for expiry each minute."""
INTERVAL = 60.0
IS_VALID = "t.revoked_at is null and (t.expires_at is null or t.expires_at > now())"
IS_BAN = "s.kind = 'ban' and s.until > now()"
SELECT_BANNED = f"""select s.player_id from accounts.sanctions s where {IS_BAN} union all
             select b.id from accounts.players b join accounts.sanctions s on s.player_id = b.owner_id where {IS_BAN}"""
"""Banned players and their bots."""
_COLUMNS = "t.hash, t.kind as token_kind, t.name as token_name, t.scopes, t.created_at, t.expires_at, t.used_at"


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A personal token to make.

    Its maker chooses the `name`. The token expires after `days`.
    """

    name: Annotated[str, Meta(min_length=1, max_length=64, examples=["My bot"])]
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=8)]
    days: Annotated[int, Meta(ge=1, le=MAX_DAYS)] = 90


class TokenGrant(NamedTuple):
    """The kind and rights of a new token.

    Attributes:
        form: a prefix of FORMS; None selects the prefix of the kind.
        most: the number of valid tokens of this kind that a player may have; None for any number.
    """

    kind: Kind
    name: str
    scopes: Collection[Scope]
    life: timedelta
    form: str | None = None
    most: int | None = None


class TokenBody(msgspec.Struct, frozen=True, kw_only=True):
    """A token as its owner sees it.

    `current` marks the token of this request. `used_at` is accurate to within some minutes.
    """

    id: str
    kind: Kind
    name: str | None
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    current: bool


class IssuedToken(msgspec.Struct, frozen=True):
    """A new token. `secret` is returned only once."""

    secret: str
    token: TokenBody


class Tokens:
    def __init__(self, database: Database, keys: Keys) -> None:
        self._database, self._keys, self.sign_ins = database, keys, SignIns(database)
        self._cache: TTLCache[bytes, Access] = TTLCache(CACHE_SIZE, CACHE_SECONDS)
        self.on_revoked: list[Callable[[], None]] = []
        """Called after each revocation in this process."""

    async def access(self, token: str) -> Access:
        """Return the access that a token gives. Raises Problem `invalid-token`."""
        if not TOKEN.fullmatch(token):
            raise Problem("invalid-token")
        key = digest(token)
        known = self._cache.get(key)
        if known is None:
            known = self._cache[key] = await self._found(key)
        if known.is_over:
            raise Problem("invalid-token")
        return known

    async def session(
        self, player: UUID, way: Way, visit: Visit, made: UUID | None = None, key: str | None = None
    ) -> str:
        """Start a session, record the sign-in, and return the session token's secret.

        A repeated call with the same `made` and `key` returns the same session.

        Raises:
            Problem: `banned`.
        """
        await self.check_ban(player)
        secret = token_of(key or new_key(), made or new_salt())
        await self._database.row(
            f"""with token as (insert into accounts.tokens (hash, player_id, expires_at, passkey)
                               values ($2, $1, now() + $3, $4::text = 'passkey')
                               on conflict do nothing returning hash)
                {INSERT_SIGN_IN} select $1, $4::text, true, hash, $5, $6, $7 from token""",
            player, digest(secret), SESSION_LIFE, way, *origin_of(player, visit),
        )  # fmt: skip
        await self.sign_ins.delete_surplus(player)
        await self._end_oldest(player)
        return secret

    async def made(self, player: UUID, what: str, key: str | None) -> UUID | None:
        """Return the id from which a request's secrets are derived, None without a key.

        Raises:
            Problem: `key-reused`.
        """
        if key is None:
            return None
        owner = ids.encode(player)
        return await self._keys.made(identity_of(key, owner, what, SECRET_KEY), what, owner)

    async def is_known(self, player: UUID, secret: str) -> bool:
        """Return whether the player has a token with this secret."""
        sql = "select from accounts.tokens where hash = $1 and player_id = $2"
        return await self._database.row(sql, digest(secret), player) is not None

    async def check_ban(self, player: UUID) -> None:
        """Raise Problem `banned` while the player is banned."""
        statement = f"select until, reason from accounts.sanctions s where player_id = $1 and {IS_BAN}"
        row = await self._database.row(statement, player)
        if row is not None:
            raise Problem("banned", row["reason"], until=row["until"])

    async def issue(
        self, player: UUID, grant: TokenGrant, made: UUID | None = None, key: str | None = None
    ) -> tuple[str, Access]:
        """Make a token, and return its secret and the access that it gives.

        A token never gives a scope that its player lacks. The same `made` and `key` make the same secret.

        Raises:
            Problem: `too-many-tokens`.
        """
        secret = token_of(key or new_key(), made or new_salt(), grant.form or FORMS[grant.kind])
        row = await self._database.row_one_at_a_time(
            player,
            f"""with room as (select count(*) < coalesce($7, count(*) + 1) as is_left from accounts.tokens t
                              where player_id = $2 and kind = $3 and hash <> $1 and {IS_VALID}),
                     made as (insert into accounts.tokens (hash, player_id, kind, name, scopes, expires_at)
                              select $1, $2, $3, $4, $5, now() + $6 from room where is_left on conflict do nothing)
                select is_left from room""",
            digest(secret), player, grant.kind, grant.name, sorted(set(grant.scopes)), grant.life, grant.most,
        )  # fmt: skip
        if row and not row["is_left"]:
            raise Problem("too-many-tokens", f"at most {grant.most}")
        return secret, await self.access(secret)

    async def make(self, maker: Access, token_fields: NewToken, key: str | None = None) -> IssuedToken:
        """Make a personal token.

        A repeated request with the same Idempotency-Key returns the same token.

        Raises:
            Problem: `invalid-request`, `insufficient-scope`, `too-many-tokens`, `key-reused`, `passkey-needed`, and others of
                `Access.check`.
        """
        if not is_plain(token_fields.name) or not token_fields.name.strip():
            raise Problem("invalid-request", errors=[FieldError("/name", "1 to 64 visible characters")])
        for scope in token_fields.scopes:
            maker.check("admin-act" if scope == "admin" else scope)
        if "admin" in token_fields.scopes and timedelta(days=token_fields.days) > STAFF_TOKEN_AGE:
            raise Problem("invalid-request", errors=[FieldError("/days", "1 for a token with the scope `admin`")])
        player = ids.decode(maker.player.id)
        token_id = await self._keys.made(identity_of(key, maker.player.id, token_fields, SECRET_KEY), "token", maker.player.id)
        grant = TokenGrant(
            "personal", token_fields.name, token_fields.scopes, timedelta(days=token_fields.days), most=MAX_TOKENS
        )
        secret, access = await self.issue(player, grant, token_id, key)
        return IssuedToken(secret, next(token for token in await self.all(maker) if token.id == id_of(access.token)))

    async def all(self, asking: Access) -> list[TokenBody]:
        """Return the valid tokens of the caller's player, newest first."""
        rows = await self._database.rows(
            f"""select {_COLUMNS} from accounts.tokens t where t.player_id = $1 and {IS_VALID}
                order by t.created_at desc, t.hash""",
            ids.decode(asking.player.id),
        )
        return [token_body(row, asking) for row in rows]

    async def revoke(self, player: str, token_id: str) -> None:
        """Revoke a token, and with an app's token all others of the same approval.

        Raises:
            Problem: `not-found` if the player has no such token.
        """
        if not ids.is_id(token_id):
            raise Problem("not-found")
        gone = await self._database.rows(
            """with token as (select hash, grant_id from accounts.tokens where player_id = $1 and substring(hash for 16) = $2),
                    family as (delete from accounts.grants where id in (select grant_id from token))
               delete from accounts.tokens
               where hash in (select hash from token) or grant_id in (select grant_id from token) returning hash""",
            ids.decode(player), ids.decode(token_id).bytes,
        )
        if not gone:
            raise Problem("not-found")
        self.end(row["hash"] for row in gone)

    async def end_one(self, hashed: bytes) -> None:
        """Revoke the token with this hash, and with an app's token all of its approval."""
        gone = await self._database.rows(
            """with family as (delete from accounts.grants
                               where id = (select grant_id from accounts.tokens where hash = $1) returning id)
               delete from accounts.tokens where hash = $1 or grant_id in (select id from family) returning hash""",
            hashed,
        )
        self.end([hashed, *(row["hash"] for row in gone)])

    async def revoke_all(self, player: UUID, but: bytes = b"") -> None:
        """Revoke a player's tokens and approvals, except the token whose hash is `but`."""
        gone = await self._database.rows(
            """with families as (delete from accounts.grants where player_id = $1)
               delete from accounts.tokens where player_id = $1 and hash <> $2 returning hash""",
            player, but,
        )  # fmt: skip
        self.end(row["hash"] for row in gone)

    def end(self, hashes: Iterable[bytes]) -> None:
        """Drop revoked tokens from the cache and call the listeners."""
        self.forget(hashes)
        for listener in self.on_revoked:
            listener()

    def forget(self, hashes: Iterable[bytes]) -> None:
        for key in hashes:
            self._cache.pop(key, None)

    def forget_player(self, player: str) -> None:
        """Remove from the cache all tokens of a player and of the player's bots."""
        self.forget([key for key, access in self._cache.items() if player in (access.player.id, access.player.owner)])

    async def over(self, hashes: Collection[bytes]) -> set[bytes]:
        """Return which of these tokens and of the cached ones are invalid or banned."""
        candidates = [*{*hashes, *self._cache}]
        rows = await self._database.rows(
            f"""select h from unnest($1::bytea[]) h
                where not exists (select from accounts.tokens t
                                  where t.hash = h and {IS_VALID} and t.player_id not in ({SELECT_BANNED}))""",
            candidates,
        )  # fmt: skip
        return {row["h"] for row in rows}

    async def keep(self) -> None:
        """Delete expired tokens every minute, until cancelled."""
        while True:
            try:
                await self.forget_expired(os.urandom(DIGEST), BATCH_SIZE)
            except Problem as problem:
                tried_again(log, "expired tokens are kept until the next round: %s", problem)
            await asyncio.sleep(INTERVAL)

    async def forget_expired(self, start: bytes, most: int) -> int:
        """Delete expired tokens among the first `most` from this hash on; return how many.

        With random starts, all tokens are checked over time.
        """
        found = await self._database.rows(
            """select hash from (select hash, expires_at from accounts.tokens where hash >= $1 order by hash limit $2) seen
               where expires_at < now() - $3::interval""",
            start, most, DELETE_AFTER,
        )  # fmt: skip
        if found:                               # an empty deletion would still be written to the backups
            await self._database.rows("delete from accounts.tokens where hash = any($1)", [row["hash"] for row in found])
        return len(found)

    async def _end_oldest(self, player: UUID) -> None:
        """Revoke the oldest sessions over MAX_SESSIONS, and delete expired tokens."""
        gone = await self._database.rows(
            """delete from accounts.tokens where player_id = $1 and (expires_at < now() or hash in
               (select hash from accounts.tokens where player_id = $1 and kind = 'session'
                order by created_at desc, hash offset $2)) returning hash""",
            player, MAX_SESSIONS,
        )  # fmt: skip
        if gone:
            self.end(row["hash"] for row in gone)

    async def _found(self, key: bytes) -> Access:
        """Load a token by its hash.

        The use is recorded at most every five minutes, which extends a session.
        """
        row = await self._database.row(
            f"""with used as (
                  update accounts.tokens t
                  set used_at = now(), expires_at = case kind when 'session' then now() + $2 else expires_at end
                  where hash = $1 and {IS_VALID} and (used_at is null or used_at < now() - interval '5 minutes')
                  returning expires_at)
                select t.hash, t.kind as token_kind, t.scopes, t.created_at, t.passkey,
                       coalesce((select expires_at from used), t.expires_at) as expires_at,
                       p.id, p.name, p.kind, p.role, p.owner_id, s.until, s.reason
                from accounts.tokens t join accounts.players p on p.id = t.player_id
                left join accounts.sanctions s on s.player_id in (p.id, p.owner_id) and {IS_BAN}
                where t.hash = $1 and {IS_VALID} order by s.until desc limit 1""",
            key, SESSION_LIFE,
        )  # fmt: skip
        if row is None:
            raise Problem("invalid-token")
        return access_of(row)


def access_of(row: asyncpg.Record) -> Access:
    most = scopes_allowed(row["kind"], row["role"])
    scopes = most if row["token_kind"] == "session" else most.intersection(row["scopes"])
    ban = Ban(row["until"], row["reason"]) if row["until"] else None
    return Access(
        row["hash"], player_of(row), row["token_kind"], scopes, row["created_at"], row["expires_at"], row["role"], ban,
        row["passkey"],
    )  # fmt: skip


def player_of(row: asyncpg.Record) -> Player:
    return Player(ids.encode(row["id"]), row["name"], row["kind"], row["owner_id"] and ids.encode(row["owner_id"]))


def token_body(row: asyncpg.Record, asking: Access) -> TokenBody:
    scopes: Any = asking.scopes if row["token_kind"] == "session" and asking.kind == "session" else row["scopes"]
    return TokenBody(
        id=id_of(row["hash"]), kind=row["token_kind"], name=row["token_name"], scopes=sorted(scopes),
        created_at=row["created_at"], expires_at=row["expires_at"], used_at=row["used_at"],
        current=row["hash"] == asking.token,
    )  # fmt: skip


def id_of(hashed: bytes) -> str:
    """Return the public id of a token: half of its hash, which does not reveal it."""
    return ids.encode(UUID(bytes=hashed[:16]))
