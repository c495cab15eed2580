"""Create the database login of the service.

The login owns nothing, and has only the grants of ludarium_service.
"""
from __future__ import annotations

from typing import NamedTuple, Self
from urllib.parse import unquote, urlsplit

import asyncpg

from ludarium_eventstore.reconnect import SETTINGS

# A pooler in transaction mode drops the settings that a client sends when it connects, so the role has them.
ROLE_SETTINGS = {name: value for name, value in SETTINGS.items() if name != "application_name"}


class Login(NamedTuple):
    name: str
    password: str | None

    @classmethod
    def of(cls, dsn: str) -> Self:
        """Return the login that a DSN contains."""
        parts = urlsplit(dsn)
        return cls(unquote(parts.username or ""), unquote(parts.password) if parts.password else None)


async def make_login(owner: asyncpg.Connection[asyncpg.Record], login: Login) -> None:
    """Create the login unless a role of this name exists.

    An existing role is not changed.
    """
    if not login.name or await owner.fetchval("select exists (select from pg_roles where rolname = $1)", login.name):
        return
    async with owner.transaction():
        await execute_formatted(owner, "create role %I login password %L in role ludarium_service", login.name, login.password)
        for setting, value in ROLE_SETTINGS.items():
            await execute_formatted(owner, "alter role %I set %I = %L", login.name, setting, value)


async def execute_formatted(owner: asyncpg.Connection[asyncpg.Record], statement: str, *words: str | None) -> None:
    """Execute a statement that cannot have parameters, inserting these words.

    The server quotes the words; None becomes NULL.
    """
    await owner.execute(await owner.fetchval("select format($1, variadic $2::text[])", statement, [*words]))


async def owns_the_log(connection: asyncpg.Connection[asyncpg.Record]) -> bool:
    """Return whether this login could act as the owner of the log, and change the log."""
    found: bool = await connection.fetchval(
        "select pg_has_role(session_user, nspowner, 'member') from pg_namespace where nspname = 'es'"
    )
    return found
