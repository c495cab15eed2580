"""Approvals of OAuth apps by players, and the tokens that result.

Each voucher (code, device code or refresh token) works once. A voucher that is repeated within RETRY_TIME returns the
same pair of tokens, in case the response was lost, unless the pair's refresh token was already used. Later, a repeated
voucher counts as stolen and ends the approval with all its tokens. A repeated code does so at once.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Annotated, Literal
from uuid import UUID, uuid4

import asyncpg
import msgspec
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.apps import MAX_SCOPE_LENGTH, Apps, scopes_of
from ludarium.accounts.redirects import MAX_LENGTH, with_answer
from ludarium.accounts.secrets import FORMS, digest, new_key, new_salt, refresh_of, token_of
from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

CODE_LIFE = timedelta(seconds=60)
ACCESS_LIFE = timedelta(hours=1)
GRANT_LIFE = timedelta(days=60)
"""How long an approval lasts if the app does not refresh its tokens."""
RETRY_TIME = timedelta(seconds=30)
MAX_GRANTS = 50
"""Maximum number of approvals per player."""
Kind = Literal["code", "device", "refresh"]


HAS_ROOM = (
    f"select count(*) < {MAX_GRANTS} as is_left from accounts.grants"
    " where player_id = $3 and id <> $1 and expires_at > now()"
)
"""SQL that determines whether player $3 has room for approval $1."""


class Refusal(Exception):
    """An OAuth error response to a token request (RFC 6749, 5.2; RFC 8628, 3.5)."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(error, description)
        self.error, self.description = error, description


class Consent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The query with which the app has sent its user, and the user's decision.

    OAuth 2.1 requires a challenge and forbids `plain`.
    """

    client_id: Annotated[str, Meta(pattern=ids.PATTERN)]
    redirect_uri: Annotated[str, Meta(max_length=MAX_LENGTH)]
    response_type: Literal["code"]
    code_challenge: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
    code_challenge_method: Literal["S256"]
    scope: Annotated[str, Meta(max_length=MAX_SCOPE_LENGTH)]
    approve: bool
    state: Annotated[str, Meta(max_length=1024)] | None = None


class Approval(msgspec.Struct, frozen=True):
    """An approval of an app. `app` is the app's `client_id`.

    It ends at `expires_at` unless the app refreshes its token before then.
    """

    id: str
    app: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime


class TokenPair(msgspec.Struct, frozen=True):
    """An access token and a refresh token (RFC 6749)."""

    access_token: str
    refresh_token: str
    scope: str
    expires_in: int
    token_type: str = "Bearer"


def check_room(row: asyncpg.Record | None) -> None:
    """Raise Problem `too-many-tokens` if `is_left` in this row is false."""
    if row and not row["is_left"]:
        raise Problem("too-many-tokens", f"at most {MAX_GRANTS} approvals")


class Grants:
    def __init__(self, database: Database, tokens: Tokens, apps: Apps, issuer: str) -> None:
        self._database, self._tokens, self._apps, self._issuer = database, tokens, apps, issuer

    async def consent(self, access: Access, consent: Consent) -> str:
        """Record the user's decision, and return the URL to redirect to.

        Raises:
            Problem: `insufficient-scope`, `too-many-tokens`, and the problems of `Apps.describe`.
        """
        scopes = scopes_of(consent.scope, "/scope")
        await self._apps.describe(consent.client_id, consent.redirect_uri, consent.scope)
        answer = {"state": consent.state, "iss": self._issuer}
        if not consent.approve:
            return with_answer(consent.redirect_uri, error="access_denied", **answer)
        code, player = new_key(), ids.decode(access.player.id)
        row = await self._database.row_one_at_a_time(
            player,
            f"""with room as ({HAS_ROOM}),
                    old as (select id from accounts.grants where expires_at < now() order by expires_at limit 2
                            for update skip locked),
                    gone as (delete from accounts.grants where id in (select id from old)),
                    made as (insert into accounts.grants (id, app_id, player_id, scopes, expires_at)
                             select $1, $2, $3, $4, now() + $5 from room where is_left on conflict do nothing returning id),
                    voucher as (insert into accounts.vouchers (hash, grant_id, kind, redirect, challenge)
                                select $6, id, 'code', $7, $8 from made)
               select is_left from room""",
            new_salt(), ids.decode(consent.client_id), player,
            grantable_scopes(access, scopes), CODE_LIFE, digest(code), consent.redirect_uri, consent.code_challenge,
        )  # fmt: skip
        check_room(row)
        return with_answer(consent.redirect_uri, code=code, **answer)

    async def by_code(self, app: UUID, code: str, verifier: str, redirect: str | None) -> TokenPair:
        """Exchange an authorization code for tokens, in one attempt. Raises Refusal."""
        used = await self._used("code", app, code)
        fits = hmac.compare_digest(challenge_of(verifier), used["challenge"]) and redirect in (None, used["redirect"])
        if not fits or not used["first"]:
            await self.end(used["grant_id"])
            raise Refusal("invalid_grant", "the code was used, or is another's")
        return await self._pair(used, code)

    async def by_refresh(self, app: UUID, token: str) -> TokenPair:
        """Exchange a refresh token for new tokens. Raises Refusal."""
        return await self._pair(await self._used("refresh", app, token), token)

    async def by_device(self, app: UUID, code: str) -> TokenPair | None:
        """Exchange a device code for tokens, None if it is not approved. Raises Refusal."""
        if await self._database.row("select from accounts.vouchers where hash = $1", digest(code)) is None:
            return None
        return await self._pair(await self._used("device", app, code), code)

    async def revoke(self, app: UUID, token: str) -> None:
        """End the approval to which a token or voucher of the app belongs."""
        rows = await self._database.rows(
            """select g.id from accounts.grants g where app_id = $2
               and (exists (select from accounts.vouchers v where v.grant_id = g.id and v.hash = $1)
                    or exists (select from accounts.tokens t where t.grant_id = g.id and t.hash = $1))""",
            digest(token), app,
        )  # fmt: skip
        for row in rows:
            await self.end(row["id"])

    async def all(self, access: Access) -> list[Approval]:
        """Return the caller's approvals, newest first."""
        rows = await self._database.rows(
            """select g.id, g.app_id, a.name, g.scopes, g.created_at, g.expires_at
               from accounts.grants g join accounts.apps a on a.id = g.app_id
               where g.player_id = $1 and g.expires_at > now() order by g.created_at desc, g.id""",
            ids.decode(access.player.id),
        )
        return [Approval(ids.encode(row[0]), ids.encode(row[1]), *row[2:]) for row in rows]

    async def withdraw(self, access: Access, approval: str) -> None:
        """End one of the caller's approvals. Raises Problem `not-found`."""
        if approval not in [each.id for each in await self.all(access)]:
            raise Problem("not-found")
        await self.end(ids.decode(approval))

    async def end(self, grant: UUID) -> None:
        gone = await self._database.rows(
            """with family as (delete from accounts.grants where id = $1)
               delete from accounts.tokens where grant_id = $1 returning hash""",
            grant,
        )
        self._tokens.end(row["hash"] for row in gone)

    async def _used(self, kind: Kind, app: UUID, secret: str) -> asyncpg.Record:
        """Mark a voucher as used and return it, or end the approval if it looks stolen.

        Raises Refusal.
        """
        attempt = uuid4()
        row = await self._database.row(
            """update accounts.vouchers v set made = coalesce(made, $3), used_at = coalesce(used_at, now())
               from accounts.grants g where v.hash = $1 and v.kind = $2 and g.id = v.grant_id and g.expires_at > now()
               returning v.made, v.made = $3 as first, v.used_at > now() - $4::interval as lately, v.challenge, v.redirect,
                         v.grant_id, g.app_id, g.scopes""",
            digest(secret), kind, attempt, RETRY_TIME,
        )  # fmt: skip
        if row is None:
            raise Refusal("invalid_grant", "unknown, ended or too old")
        if row["app_id"] != app or not row["lately"]:
            await self.end(row["grant_id"])
            raise Refusal("invalid_grant", "used before, or another app's; all that came of it has ended")
        return row

    async def _pair(self, used: asyncpg.Record, secret: str) -> TokenPair:
        """Return this voucher's token pair, which is created on first use.

        Raises Refusal.
        """
        token, refresh = token_of(secret, used["made"], FORMS["app"]), refresh_of(secret, used["made"])
        voucher = await self._database.row(
            """with family as (update accounts.grants set expires_at = now() + $5 where id = $1
                               returning id, player_id, app_id),
                    old as (delete from accounts.tokens where grant_id = $1 and expires_at < now()),
                    gone as (delete from accounts.vouchers where grant_id = $1 and used_at < now() - $5),
                    token as (insert into accounts.tokens (hash, player_id, kind, name, scopes, expires_at, grant_id)
                              select $2, f.player_id, 'app', a.name, $6, now() + $4, f.id
                              from family f join accounts.apps a on a.id = f.app_id on conflict do nothing)
               insert into accounts.vouchers as v (hash, grant_id, kind) select $3, id, 'refresh' from family
               on conflict (hash) do update set kind = v.kind returning v.used_at""",
            used["grant_id"], digest(token), digest(refresh), ACCESS_LIFE, GRANT_LIFE, used["scopes"],
        )  # fmt: skip
        if voucher is None or voucher["used_at"] is not None:
            await self.end(used["grant_id"])
            raise Refusal("invalid_grant", "the tokens that came of it were used; all has ended")
        return TokenPair(token, refresh, await self._scope(token), int(ACCESS_LIFE.total_seconds()))

    async def _scope(self, token: str) -> str:
        """Return the token's current scopes. Raises Refusal if it is no longer valid."""
        try:
            return " ".join(sorted((await self._tokens.access(token)).scopes))
        except Problem as problem:
            if problem.code != "invalid-token":
                raise
            raise Refusal("invalid_grant", "ended meanwhile") from None


def grantable_scopes(access: Access, scopes: Iterable[str]) -> list[str]:
    """Return those of the scopes that the player has.

    Raises:
        Problem: `insufficient-scope` if the player has none of them.
    """
    held: list[str] = [scope for scope in scopes if scope in access.scopes]
    if not held:
        raise Problem("insufficient-scope", "none of these is the caller's to give")
    return held


def challenge_of(verifier: str) -> str:
    """Return the code challenge of a verifier (RFC 7636, S256)."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
