"""PostgreSQL, as the service's login finds it. Nothing is changed."""
from __future__ import annotations

import ssl
import time
from collections.abc import AsyncIterator, Mapping
from typing import TypeAlias

import asyncpg

from ludarium.ops.archive.bundles import ArchiveError, BundleFiles
from ludarium.ops.doctor.findings import OLD, Finding, ok, warning, wrong
from ludarium.ops.doctor.stops import stops
from ludarium.platform.config import masked
from ludarium.platform.database import CONNECTIONS
from ludarium.platform.schema_check import OLD_DATABASE, PATIENCE, SCHEMAS
from ludarium_eventstore import BrokenBundle, ChangedMigration, OldFormat, StoreUnavailable, missing, owns_the_log, refusal
from ludarium_eventstore.archive import ARCHIVED_COLUMNS, Archived, unpack_bundle

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
OLDEST = 18
ROLE = "ludarium_service"
APART, FAR_APART = 1.0, 60.0
"""Seconds between two clocks."""
BACKUP = 26 * 3600.0
"""Seconds after which the last backup is old."""
BACKED_UP = "select extract(epoch from now() - at)::float8 from backups.done where kind = 'base'"
MIGRATE = "Run `ludarium migrate`."
DURABLE = {
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


async def database(url: str, archived: str | None = None) -> AsyncIterator[Finding]:
    """archived: where the bundles of archived games are."""
    try:
        connection = await asyncpg.connect(url, timeout=PATIENCE)
    except Exception as error:                  # whatever it is, the service would meet it too
        yield wrong("database", f"{masked(url)}: {error or type(error).__name__}", refused(error))
        return
    try:
        yield version(connection.get_server_version().major)
        yield await writable(connection)
        found = await migrations(connection)
        yield found
        if found.level == "ok":
            yield await rights(connection)
            async for told in archive(connection, archived):
                yield told
            yield backed_up(await connection.fetchval(BACKED_UP))
        yield clock(await difference(connection))
        yield await durability(connection)
        async for stop in stops(connection):
            yield stop
        yield await room(connection)
    finally:
        await connection.close()


def refused(error: Exception) -> str:
    if isinstance(error, (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)):
        return "Name another login or database in LUDARIUM_DATABASE_URL; `ludarium migrate` makes the service's login."
    if isinstance(error, ssl.SSLError):
        return "Its certificate must be for the host in LUDARIUM_DATABASE_URL, by the authority in the file of sslrootcert=."
    return "Start PostgreSQL, or say in LUDARIUM_DATABASE_URL where it is."


def version(major: int) -> Finding:
    if major < OLDEST:
        return wrong("version", f"PostgreSQL {major}", f"Ludarium needs PostgreSQL {OLDEST}: move the data there.")
    return ok("version", f"PostgreSQL {major}")


async def writable(connection: Connection) -> Finding:
    match await refusal(connection):
        case "standby":
            return wrong("writable", "it is a standby", "Name the primary, or promote this one when the old one is gone.")
        case "read-only":
            remedy = "Look for default_transaction_read_only, in the server and the login."
            return wrong("writable", "it only reads", remedy)
        case None:
            return ok("writable", "it is not a standby and not read-only")


async def migrations(connection: Connection) -> Finding:
    try:
        names = await missing(connection, SCHEMAS)
    except OldFormat:
        return Finding("wrong", OLD, OLD_DATABASE)
    except ChangedMigration as error:
        return wrong("migrations", f"other files were run here: {error}", "Is it the right database, and an unchanged release?")
    if names:
        return wrong("migrations", f"{len(names)} are missing, from {names[0]} on", MIGRATE)
    return ok("migrations", "all were run")


async def rights(connection: Connection) -> Finding:
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


async def difference(connection: Connection) -> float:
    """Seconds by which PostgreSQL's clock is ahead of ours: of three looks, the one that took least."""
    looks = [await look(connection) for _ in range(3)]
    return min(looks)[1]


async def look(connection: Connection) -> tuple[float, float]:
    before = time.time()
    theirs = float(await connection.fetchval("select extract(epoch from clock_timestamp())"))
    after = time.time()
    return after - before, theirs - (before + after) / 2


def backed_up(ago: float | None) -> Finding:
    """ago: seconds since a base backup has ended."""
    if ago is None:
        return warning("backup", "none was ever made", "`ludarium backup PLACE --follow`, or what docs/backups.md tells.")
    told = f"the last one is {ago / 3600:.0f} hours old"
    return ok("backup", told) if ago < BACKUP else warning("backup", told, "See docs/operations/backup-old.md.")


def clock(ahead: float) -> Finding:
    told = f"PostgreSQL's is {abs(ahead):.2f} s {'ahead of' if ahead > 0 else 'behind'} ours"
    if abs(ahead) > APART:
        found = wrong if abs(ahead) > FAR_APART else warning
        return found("clock", told, "Let NTP keep the clocks of both machines (`timedatectl`).")
    return ok("clock", told)


async def durability(connection: Connection) -> Finding:
    names = [*DURABLE, "synchronous_standby_names"]
    rows = await connection.fetch("select name, setting from pg_settings where name = any($1)", names)
    return durable({row["name"]: row["setting"] for row in rows})


def durable(settings: Mapping[str, str]) -> Finding:
    if off := [name for name in DURABLE if settings[name] == "off"]:
        why = "; ".join(f"{name} is off: {DURABLE[name]}" for name in off)
        return wrong("durability", why, "Set them to on in postgresql.conf, and for the login.")
    level = settings["synchronous_commit"]
    if settings["synchronous_standby_names"] and level in ("local", "remote_write"):
        told = f"synchronous_commit is {level}: a fail-over may lose moves that were acknowledged"
        return warning("durability", told, "Set synchronous_commit to on.")
    return ok("durability", "a commit is on the disk")


async def room(connection: Connection) -> Finding:
    row = await connection.fetchrow(LIMITS)
    assert row is not None
    most = min(limit for limit in (row["server"], row["database"], row["login"]) if limit >= 0)
    told = f"{most} for us, enough for {most // CONNECTIONS} processes of {CONNECTIONS}; {row['used']} are taken just now"
    more = "Raise max_connections or the limit of the database or login, or put PgBouncer in between."
    if most < CONNECTIONS:
        return wrong("connections", told, more)
    return warning("connections", told, more) if row["used"] > 0.9 * most else ok("connections", told)


# --- the bundles of archived games ------------------------------------------------------------------------------------
NEWEST = f"select {ARCHIVED_COLUMNS}, (select count(*) from es.archived) as games from es.archived order by nth desc limit 1"
NAME = "Set LUDARIUM_ARCHIVE to the folder or bucket that `ludarium archive` wrote to, for all processes."
READ = "Let this account read it, or put the bundles back from the backup; `ludarium verify --all` looks at each."


async def archive(connection: asyncpg.Connection[asyncpg.Record], place: str | None) -> AsyncIterator[Finding]:
    """The newest one is read; nothing is said where no game was ever archived."""
    row = await connection.fetchrow(NEWEST)
    if row is None:
        return
    if place is None:
        yield wrong("archive", f"{row['games']} games are archived, and nothing says where", NAME)
        return
    newest = Archived(*row[:-1])
    try:
        unpack_bundle(newest, await BundleFiles(place).get(newest.stream))
    except (ArchiveError, BrokenBundle, StoreUnavailable) as problem:
        yield wrong("archive", str(problem), READ)
    else:
        yield ok("archive", f"{row['games']} games in {place}")
