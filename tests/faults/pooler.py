"""PgBouncer in transaction mode in front of PostgreSQL, as docs/operators.md says."""
from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx

from ludarium.embedded import Services, embedded
from ludarium.embedded.account import choose_account
from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_eventstore import EventStore, Login, audit, migrate
from ludarium_eventstore.logins import ROLE_SETTINGS
from tests.conftest import fresh_database
from tests.faults.history import faults
from tests.faults.liveness import in_words, plays_again
from tests.faults.writers import log_of, race
from tests.support.entropy import ENTROPY, uuid4
from tests.support.people import Person, fine, open_game, play_on
from tests.support.waiting import LIMIT, eventually

OLDEST = (1, 21)                                # the first version with prepared statements in transaction mode
PORT, LOGIN = 6432, "pooled"
WRITERS, SECONDS_BETWEEN_CUTS, CUTS = 4, 1.0, 5
CUT = "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1"
CONFIG = """
[databases]
* = host={server}
[pgbouncer]
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 3
ignore_startup_parameters = {ignored}
unix_socket_dir = {folder}
listen_port = {port}
auth_type = trust
auth_file = {folder}/users
logfile = {folder}/log
"""


class NoPgBouncer(Exception):
    """An error for a PgBouncer that is missing or too old."""


def binary() -> Path:
    """Return the path of PgBouncer.

    Raises:
        NoPgBouncer: PgBouncer is missing or too old.
    """
    found = shutil.which(os.environ.get("PGBOUNCER", "pgbouncer"))
    if found is None:
        raise NoPgBouncer("pgbouncer is not in PATH: install it, or name its binary in PGBOUNCER")
    told = subprocess.run([found, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"(\d+)\.(\d+)", told)
    if version is None or (int(version[1]), int(version[2])) < OLDEST:
        raise NoPgBouncer(f"{found} is {told.splitlines()[0]}; {'.'.join(map(str, OLDEST))} or later is needed")
    return Path(found)


async def pooled_race(home: Path, seed: int) -> str:
    """Let stores race through the pooler while its server connections are terminated."""
    program = binary()
    async with embedded(home) as servers, AsyncExitStack() as stack:
        owner = await stack.enter_async_context(prepared(servers.database_url))
        dsn = await stack.enter_async_context(pgbouncer(program, home.parent / "pooler", servers.database_url))
        direct = await stack.enter_async_context(await EventStore.open(servers.database_url))
        await direct.name_types({1: "happened"})
        stores = [await stack.enter_async_context(await EventStore.open(dsn)) for _ in range(WRITERS)]
        await check_settings(stores[0])
        stop = asyncio.Event()
        attempts, _ = await asyncio.gather(
            race(stores, direct, [uuid4() for _ in range(8)], stop, Random(seed)), cut(owner, stop)
        )
        assert faults(attempts, await log_of(direct)) == []
        assert await audit(direct) == []
        commands, waited = await played(servers, owner, dsn, seed)
    made = sum(attempt.version is not None for attempt in attempts)
    return (f"{made:,} of {len(attempts):,} appends through PgBouncer were acknowledged, all of them in their places; "
            f"and a game of {commands} commands at a whole server; {in_words(waited)}")


async def played(
    servers: Services, owner: asyncpg.Connection[asyncpg.Record], pooler: str, seed: int
) -> tuple[int, float]:
    """Play a game at a server behind the pooler, then cut the pooler's connections.

    The game has its own database.

    Returns:
        The number of commands, and the seconds from the cut until a command was accepted.
    """
    async with fresh_database(servers.database_url) as fresh:
        await migrated(fresh, Login(LOGIN, None))
        dsn = urlsplit(pooler)._replace(path=urlsplit(fresh).path).geturl()
        async with (
            running(Config(port=0, ws_port=0, rate_limits=False), dsn, servers.redis_url, ENTROPY) as address,
            httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
        ):
            people = [await Person.arrive(http), await Person.arrive(http)]
            table = await open_game(people)
            commands = await play_on(people, table, 1000, Random(seed))
            assert [own["table"]["id"] for own in (await people[0].get("/me/tables"))["tables"]] == [table]
            assert [game["table"]["id"] for game in (await people[0].get("/records"))["games"]] == [table]
            ready = fine(await http.get(f"{address.http}/readyz"))
            assert (ready["status"], ready["stopped"]) == ("ready", {})
            await owner.execute(CUT, LOGIN)
            return commands, await plays_again(f"{address.http}/api/v1")


async def cut(owner: asyncpg.Connection[asyncpg.Record], stop: asyncio.Event) -> None:
    """Terminate all server connections of the pooler a few times, then stop the race."""
    for _ in range(CUTS):
        await asyncio.sleep(SECONDS_BETWEEN_CUTS)
        await owner.execute(CUT, LOGIN)
    stop.set()


@asynccontextmanager
async def prepared(dsn: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """Migrate with a login that has the settings otherwise made by the service."""
    await migrate(dsn, login=Login(LOGIN, None))
    sockets = parse_qs(urlsplit(dsn).query)["host"][0]
    (Path(sockets) / "pg_hba.conf").write_text("local all all trust\n")
    owner = await asyncpg.connect(dsn)
    await owner.execute("select pg_reload_conf()")
    try:
        yield owner
    finally:
        await owner.close()


@asynccontextmanager
async def pgbouncer(program: Path, folder: Path, dsn: str) -> AsyncIterator[str]:
    """Run PgBouncer and yield the DSN through it."""
    account, parts = choose_account(None), urlsplit(dsn)
    folder.mkdir()
    account.own(folder)
    server = parse_qs(parts.query)["host"][0]
    (folder / "users").write_text(f'"{LOGIN}" ""\n')
    (folder / "config").write_text(CONFIG.format(server=server, ignored=",".join(ROLE_SETTINGS), folder=folder, port=PORT))
    process = await asyncio.create_subprocess_exec(
        *account.command(program, folder / "config"), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await eventually(lambda: (folder / f".s.PGSQL.{PORT}").exists() or process.returncode is not None)
        assert process.returncode is None, "pgbouncer has ended"
        yield f"postgresql://{LOGIN}@{parts.path}?host={folder}&port={PORT}"
    finally:
        process.terminate()
        await process.wait()


async def check_settings(store: EventStore) -> None:
    """Check the settings that the service depends on, such as rights and timeouts."""
    for name, value in ROLE_SETTINGS.items():
        found = (await store.fetch("select current_setting($1) as value", name))[0]["value"]
        assert found == value, f"{name} is {found}"
