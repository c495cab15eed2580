"""OAuth apps of third parties: public clients without a secret."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated
from uuid import UUID

import asyncpg
import msgspec
from msgspec import Meta

from ludarium.accounts import word_filter
from ludarium.accounts.access import SCOPES, Access, Player, Scope
from ludarium.accounts.keys import Keys
from ludarium.accounts.names import is_plain
from ludarium.accounts.redirects import MAX_LENGTH, host_of, is_among, is_redirect
from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import FieldError, Problem

MAX_APPS = 20
"""Maximum number of apps per player."""
MAX_SCOPE_LENGTH = 256
Name = Annotated[str, Meta(min_length=1, max_length=64, examples=["Table radar"])]
Redirect = Annotated[str, Meta(max_length=MAX_LENGTH, examples=["https://radar.example/back"])]


class NewApp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An app to register.

    `redirects` lists the addresses to which users may be sent back. It is empty for apps that only show a code.
    """

    name: Name
    redirects: Annotated[list[Redirect], Meta(max_length=10)]


class App(msgspec.Struct, frozen=True):
    """A registered app. `id` is its `client_id`."""

    id: str
    name: str
    redirects: list[str]
    created_at: datetime


class AskingApp(msgspec.Struct, frozen=True):
    """An app that asks for approval.

    - `host` is the host, or `scheme:`, to which the user is sent back; null for a device.
    - `scopes` lists the requested scopes, each with its meaning.
    """

    id: str
    name: str
    owner: Player
    host: str | None
    scopes: dict[str, str]


class Apps:
    def __init__(self, database: Database, tokens: Tokens, keys: Keys) -> None:
        self._database, self._tokens, self._keys = database, tokens, keys

    async def register(self, access: Access, app: NewApp, key: str | None = None) -> App:
        """Register an app for the caller.

        Raises:
            Problem: `invalid-request`, `unkind-words`, `too-many-apps`, `key-reused`.
        """
        check_fields(app)
        player = ids.decode(access.player.id)
        app_id = await self._keys.made(identity_of(key, access.player.id, app), "app", access.player.id)
        await self._database.row_one_at_a_time(
            player,
            """insert into accounts.apps (id, owner_id, name, redirects)
               select $1, $2, $3, $4 where (select count(*) from accounts.apps where owner_id = $2) < $5
               on conflict do nothing""",
            app_id, player, app.name, app.redirects, MAX_APPS,
        )  # fmt: skip
        registered = [app for app in await self.all(access) if app.id == ids.encode(app_id)]
        if not registered:
            raise Problem("too-many-apps", f"at most {MAX_APPS}")
        return registered[0]

    async def all(self, access: Access) -> list[App]:
        """Return the caller's apps, newest first."""
        rows = await self._database.rows(
            "select id, name, redirects, created_at from accounts.apps where owner_id = $1 order by created_at desc, id",
            ids.decode(access.player.id),
        )
        return [App(ids.encode(row["id"]), row["name"], row["redirects"], row["created_at"]) for row in rows]

    async def delete(self, access: Access, app: str) -> None:
        """Delete one of the caller's apps and revoke all its tokens.

        Raises:
            Problem: `not-found`.
        """
        if app not in [each.id for each in await self.all(access)]:
            raise Problem("not-found")
        gone = await self._database.rows(
            """with app as (delete from accounts.apps where id = $1)
               delete from accounts.tokens where grant_id in (select id from accounts.grants where app_id = $1)
               returning hash""",
            ids.decode(app),
        )
        self._tokens.end(row["hash"] for row in gone)

    async def describe(self, app: str, redirect: str, scope: str) -> AskingApp:
        """Return the information about an app that the consent page shows.

        Raises:
            Problem: `not-found`, `invalid-redirect`, `invalid-request`.
        """
        row = await self._found(app)
        if not is_among(redirect, row["redirects"]):
            raise Problem("invalid-redirect")
        return asking_app(row, host_of(redirect), scopes_of(scope))

    async def id_of(self, client: str) -> UUID | None:
        """Return the id of the app with this `client_id`, None if there is none."""
        row = ids.is_id(client) and await self._database.row("select id from accounts.apps where id = $1", ids.decode(client))
        return row["id"] if row else None

    async def _found(self, app: str) -> asyncpg.Record:
        row = ids.is_id(app) and await self._database.row(
            """select a.id, a.name, a.redirects, p.id as owner_id, p.name as owner_name, p.kind as owner_kind
               from accounts.apps a join accounts.players p on p.id = a.owner_id where a.id = $1""",
            ids.decode(app),
        )
        if not row:
            raise Problem("not-found")
        return row


def check_fields(app: NewApp) -> None:
    """Validate an app's name and redirects.

    Raises:
        Problem: `invalid-request`, `unkind-words`.
    """
    if not is_plain(app.name) or not app.name.strip():
        raise Problem("invalid-request", errors=[FieldError("/name", "1 to 64 visible characters")])
    word_filter.check(app.name, "/name")
    wrong = [place for place, uri in enumerate(app.redirects) if not is_redirect(uri)]
    if wrong:
        expected = "https://…, http://127.0.0.1/…, http://[::1]/… or com.example.app:/…; no user, no fragment"
        raise Problem("invalid-request", errors=[FieldError(f"/redirects/{place}", expected) for place in wrong])


def asking_app(row: asyncpg.Record, host: str | None, scopes: Iterable[Scope]) -> AskingApp:
    owner = Player(ids.encode(row["owner_id"]), row["owner_name"], row["owner_kind"])
    return AskingApp(ids.encode(row["id"]), row["name"], owner, host, {scope: SCOPES[scope] for scope in scopes})


def scopes_of(text: str, pointer: str = "scope") -> list[Scope]:
    """Parse OAuth scopes separated by single spaces; `admin` is never returned.

    Raises:
        Problem: `invalid-request` for the field at `pointer`.
    """
    named = text.split(" ")
    scopes: list[Scope] = [scope for scope in SCOPES if scope in named and scope != "admin"]
    if not set(named) <= SCOPES.keys() or not scopes:
        raise Problem("invalid-request", errors=[FieldError(pointer, "scopes of the API, between single spaces")])
    return scopes
