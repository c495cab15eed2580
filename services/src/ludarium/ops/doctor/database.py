"""Checks PostgreSQL with the service's login, without changing anything."""
from __future__ import annotations

import ssl
import time
from collections.abc import AsyncIterator, Mapping
from typing import TypeAlias

import asyncpg

from ludarium.ops.archive.bundles import ArchiveError, BundleFiles
from ludarium.ops.doctor.findings import OLD, Finding, ok, warning, wrong
from ludarium.ops.doctor.stops import check_waits
from ludarium.platform.config import masked
from ludarium.platform.database import CONNECTIONS
from ludarium.platform.schema_check import OLD_DATABASE, PATIENCE, SCHEMAS
from ludarium_eventstore import BrokenBundle, ChangedMigration, OldFormat, StoreUnavailable, missing, owns_the_log, refusal
from ludarium_eventstore.archive import ARCHIVED_COLUMNS, Archived, unpack_bundle

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
OLDEST_VERSION = 18
ROLE = "ludarium_service"
CLOCK_WARNING, CLOCK_ERROR = 1.0, 60.0
"""Differences between two clocks, in seconds."""
MAX_BACKUP_AGE = 26 * 3600.0
"""Seconds after which the last backup is old."""
SELECT_BACKUP_AGE = "select extract(epoch from now() - at)::float8 from backups.done where kind = 'base'"
MIGRATE = "Run `ludarium migrate`."
DURABLE_SETTINGS = {
    "fsync": "a crash of the machine may damage the whole database",
    "full_page_writes": "a crash of the machine may damage pages",
    "synchronous_commit": "moves that were acknowledged may be lost in a crash",
}
LIMITS = """
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
             - current_setting('reserved_connections')::int as server,
           (select datconnlimit from pg_database where datname = current_database()) as database,
           (select rolconnlimit from pg_roles where rolname = session_user) as login,
           (select sum(numbackends)::int from pg_stat_database) as used"""
RIGHTS = """
    select has_table_privilege($1, 'es.events', 'insert') and has_table_privilege($1, 'es.events', 'select') as works,
           has_table_privilege($1, 'es.events', 'update') or has_table_privilege($1, 'es.events', 'delete') as changes,
           pg_has_role(session_user, $1, 'set') as taken"""


async def check_database(url: str, archived: str | None = None) -> AsyncIterator[Finding]:
    """Yield all findings about the database.

    Args:
        archived: the folder or bucket of the archived games' bundles.
    """
    try:
        connection = await asyncpg.connect(url, timeout=PATIENCE)
    except Exception as error:                  # whatever it is, the service would meet it too
        yield wrong("database", f"{masked(url)}: {error or type(error).__name__}", connection_remedy(error))
        return
    try:
        yield check_version(connection.get_server_version().major)
        yield await check_writable(connection)
        found = await check_migrations(connection)
        yield found
        if found.level == "ok":
            yield await check_rights(connection)
            async for found in check_archive(connection, archived):
                yield found
            yield check_backup_age(await connection.fetchval(SELECT_BACKUP_AGE))
        yield check_clock(await clock_difference(connection))
        yield await check_durability(connection)
        async for stop in check_waits(connection):
            yield stop
        yield await check_connections(connection)
    finally:
        await connection.close()


def connection_remedy(error: Exception) -> str:
    if isinstance(error, (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)):
        return "Name another login or database in LUDARIUM_DATABASE_URL; `ludarium migrate` makes the service's login."
    if isinstance(error, ssl.SSLError):
        return "Its certificate must be for the host in LUDARIUM_DATABASE_URL, by the authority in the file of sslrootcert=."
    return "Start PostgreSQL, or say in LUDARIUM_DATABASE_URL where it is."


def check_version(major: int) -> Finding:
    if major < OLDEST_VERSION:
        return wrong("version", f"PostgreSQL {major}", f"Ludarium needs PostgreSQL {OLDEST_VERSION}: move the data there.")
    return ok("version", f"PostgreSQL {major}")


async def check_writable(connection: Connection) -> Finding:
    match await refusal(connection):
        case "standby":
            return wrong("writable", "it is a standby", "Name the primary, or promote this one when the old one is gone.")
        case "read-only":
            remedy = "Look for default_transaction_read_only, in the server and the login."
            return wrong("writable", "it only reads", remedy)
        case None:
            return ok("writable", "it is not a standby and not read-only")


async def check_migrations(connection: Connection) -> Finding:
    try:
        names = await missing(connection, SCHEMAS)
    except OldFormat:
        return Finding("wrong", OLD, OLD_DATABASE)
    except ChangedMigration as error:
        return wrong("migrations", f"other files were run here: {error}", "Is it the right database, and an unchanged release?")
    if names:
        return wrong("migrations", f"{len(names)} are missing, from {names[0]} on", MIGRATE)
    return ok("migrations", "all were run")


async def check_rights(connection: Connection) -> Finding:
    row = await connection.fetchrow(RIGHTS, ROLE)
    assert row is not None                      # of functions alone
    if not row["works"] or not row["taken"]:
        return wrong("rights", f"this login cannot work as {ROLE}", f"{MIGRATE} A login of your own: grant {ROLE} to it.")
    if row["changes"]:
        return wrong("rights", f"{ROLE} may change the log", f"revoke update, delete on all tables in schema es from {ROLE}")
    if await owns_the_log(connection):
        return warning(
            "rights", "this login owns the log and could change it",
            "Give LUDARIUM_DATABASE_URL a login of its own, and LUDARIUM_DATABASE_OWNER_URL to `ludarium migrate` alone.",
        )  # fmt: skip
    return ok("rights", "this login adds to the log and reads it, no more")


async def clock_difference(connection: Connection) -> float:
    """Return by how many seconds PostgreSQL's clock is ahead.

    The fastest of three measurements is used.
    """
    measured = [await measure_clock(connection) for _ in range(3)]
    return min(measured)[1]


async def measure_clock(connection: Connection) -> tuple[float, float]:
    """Return the duration of a measurement, and the clock difference, both in seconds."""
    before = time.time()
    theirs = float(await connection.fetchval("select extract(epoch from clock_timestamp())"))
    after = time.time()
    return after - before, theirs - (before + after) / 2


def check_backup_age(ago: float | None) -> Finding:
    """Check the age of the last base backup.

    Args:
        ago: seconds since that backup ended; None if there is none.
    """
    if ago is None:
        return warning("backup", "none was ever made", "`ludarium backup PLACE --follow`, or what docs/backups.md tells.")
    detail = f"the last one is {ago / 3600:.0f} hours old"
    return ok("backup", detail) if ago < MAX_BACKUP_AGE else warning("backup", detail, "See docs/operations/backup-old.md.")


def check_clock(ahead: float) -> Finding:
    detail = f"PostgreSQL's is {abs(ahead):.2f} s {'ahead of' if ahead > 0 else 'behind'} ours"
    if abs(ahead) > CLOCK_WARNING:
        found = wrong if abs(ahead) > CLOCK_ERROR else warning
        return found("clock", detail, "Let NTP keep the clocks of both machines (`timedatectl`).")
    return ok("clock", detail)


async def check_durability(connection: Connection) -> Finding:
    names = [*DURABLE_SETTINGS, "synchronous_standby_names"]
    rows = await connection.fetch("select name, setting from pg_settings where name = any($1)", names)
    return durability_finding({row["name"]: row["setting"] for row in rows})


def durability_finding(settings: Mapping[str, str]) -> Finding:
    if off := [name for name in DURABLE_SETTINGS if settings[name] == "off"]:
        why = "; ".join(f"{name} is off: {DURABLE_SETTINGS[name]}" for name in off)
        return wrong("durability", why, "Set them to on in postgresql.conf, and for the login.")
    level = settings["synchronous_commit"]
    if settings["synchronous_standby_names"] and level in ("local", "remote_write"):
        detail = f"synchronous_commit is {level}: a fail-over may lose moves that were acknowledged"
        return warning("durability", detail, "Set synchronous_commit to on.")
    return ok("durability", "a commit is on the disk")


async def check_connections(connection: Connection) -> Finding:
    row = await connection.fetchrow(LIMITS)
    assert row is not None
    most = min(limit for limit in (row["server"], row["database"], row["login"]) if limit >= 0)
    detail = f"{most} for us, enough for {most // CONNECTIONS} processes of {CONNECTIONS}; {row['used']} are taken just now"
    more = "Raise max_connections or the limit of the database or login, or put PgBouncer in between."
    if most < CONNECTIONS:
        return wrong("connections", detail, more)
    return warning("connections", detail, more) if row["used"] > 0.9 * most else ok("connections", detail)


# --- the bundles of archived games ------------------------------------------------------------------------------------
SELECT_NEWEST = f"""
    select {ARCHIVED_COLUMNS}, (select count(*) from es.archived) as games from es.archived order by nth desc limit 1"""
SET_ARCHIVE = "Set LUDARIUM_ARCHIVE to the folder or bucket that `ludarium archive` wrote to, for all processes."
MAKE_READABLE = "Let this account read it, or put the bundles back from the backup; `ludarium verify --all` looks at each."


async def check_archive(connection: asyncpg.Connection[asyncpg.Record], place: str | None) -> AsyncIterator[Finding]:
    """Check that the newest bundle can be read, if any games are archived."""
    row = await connection.fetchrow(SELECT_NEWEST)
    if row is None:
        return
    if place is None:
        yield wrong("archive", f"{row['games']} games are archived, and nothing says where", SET_ARCHIVE)
        return
    newest = Archived(*row[:-1])
    try:
        unpack_bundle(newest, await BundleFiles(place).get(newest.stream))
    except (ArchiveError, BrokenBundle, StoreUnavailable) as problem:
        yield wrong("archive", str(problem), MAKE_READABLE)
    else:
        yield ok("archive", f"{row['games']} games in {place}")
