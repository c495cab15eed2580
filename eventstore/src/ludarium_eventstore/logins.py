"""The service's login: it owns nothing, has what the role ludarium_service is granted, and cannot become the owner."""
from __future__ import annotations

from typing import NamedTuple, Self
from urllib.parse import unquote, urlsplit

import asyncpg

from ludarium_eventstore.reconnect import SETTINGS

# A pooler in transaction mode does not hand on what a client sets when it connects, so the login carries it.
ROLE_SETTINGS = {name: value for name, value in SETTINGS.items() if name != "application_name"}


class Login(NamedTuple):
    name: str
    password: str | None

    @classmethod
    def of(cls, dsn: str) -> Self:
        """Whose DSN it is."""
        parts = urlsplit(dsn)
        return cls(unquote(parts.username or ""), unquote(parts.password) if parts.password else None)


async def make_login(owner: asyncpg.Connection[asyncpg.Record], login: Login) -> None:
    """Make it if there is none of this name; one that is there belongs to who made it, and stays as it is."""
    if not login.name or await owner.fetchval("select exists (select from pg_roles where rolname = $1)", login.name):
        return
    async with owner.transaction():
        await execute_formatted(owner, "create role %I login password %L in role ludarium_service", login.name, login.password)
        for setting, value in ROLE_SETTINGS.items():
            await execute_formatted(owner, "alter role %I set %I = %L", login.name, setting, value)


async def execute_formatted(owner: asyncpg.Connection[asyncpg.Record], statement: str, *words: str | None) -> None:
    """A statement that takes no parameters, with these words in it, quoted by the server (no word: NULL)."""
    await owner.execute(await owner.fetchval("select format($1, variadic $2::text[])", statement, [*words]))


async def owns_the_log(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    """Whether this login could become the owner of the log, and change it."""
    found: bool = await connection.fetchval(
        "select pg_has_role(session_user, nspowner, 'member') from pg_namespace where nspname = 'es'"
    )
    return found
