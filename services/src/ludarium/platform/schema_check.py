"""Check and update the database's schema."""
from __future__ import annotations

import logging
import ssl
from importlib.resources import files

import asyncpg

from ludarium_eventstore import Login, is_down, migrate, missing, owns_the_log

log = logging.getLogger(__name__)
FOLDERS = {
    "accounts": "accounts", "bots": "bots", "clocks": "clocks", "projections": "projections", "tables": "tables",
    "backups": "ops/backups", "imports": "sharing/imports", "tournaments": "tournaments", "studies": "sharing/studies",
    "notices": "notices",
}  # fmt: skip
"""The folder with the migrations of each schema."""
SCHEMAS = {name: files("ludarium") / folder / "schema" for name, folder in FOLDERS.items()}
OLD_DATABASE = (
    "This database was made by a release before 0.1.0, and no later one can use it. Nothing was changed. Keep it for "
    "the release that made it, and name an empty database by LUDARIUM_DATABASE_URL."
)
REFUSALS = (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError, ssl.SSLError)
PATIENCE = 5.0
"""Seconds until a database that does not answer counts as down."""


async def migrated(database_url: str, login: Login | None = None) -> list[str]:
    """Migrate the database as its owner, and create the service's login.

    Returns:
        The names of the migrations that were run.
    """
    return await migrate(database_url, SCHEMAS, login)


async def lacking(database_url: str) -> str | None:
    """Return why this release cannot use the database yet, None if it can.

    The service's login may not exist yet, since the first `ludarium migrate` creates it.

    Raises:
        ChangedMigration: a migration has changed since it was run.
        OldFormat: a release before 0.1.0 made the database.
    """
    try:
        connection = await asyncpg.connect(database_url, timeout=PATIENCE)
    except Exception as error:
        if is_down(error) or isinstance(error, REFUSALS):
            return f"PostgreSQL does not let us in ({error})"
        raise
    try:
        names = await missing(connection, SCHEMAS)
        if not names and await owns_the_log(connection):
            log.warning("This login owns the log and could change it: docs/operators.md tells of two logins.")
    finally:
        await connection.close()
    return f"the database lacks {', '.join(names)}: run `ludarium migrate`" if names else None
