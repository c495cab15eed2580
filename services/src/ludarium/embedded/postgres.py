"""Runs PostgreSQL on a Unix socket.

This includes creating the database cluster and cleaning up after a crash.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import asyncpg

from ludarium.embedded.account import SERVER_ENVIRONMENT, Account, own_name
from ludarium.embedded.binaries import MAJOR, postgres_binaries
from ludarium.embedded.data_directory import CLUSTER, HINT, write_format
from ludarium.embedded.errors import EmbeddedError
from ludarium.embedded.supervisor import START_TIMEOUT, Server

USER = DATABASE = "ludarium"
LOGIN = "ludarium_login"
"""The role of the service, which owns nothing. A migration creates it."""
PROBE_TIMEOUT = 5.0  # seconds

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "max_connections": "200",
    "log_checkpoints": "off",
    "max_slot_wal_keep_size": "2GB",            # disk space that a slow backup may retain
}

# For tests that do not check durability: a crash of the machine could lose commits.
NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def postgres(
    data: Path, sockets: Path, account: Account, *, durable: bool, extra_settings: Mapping[str, str] = MappingProxyType({}),
    start_timeout: float = START_TIMEOUT,
) -> Server:
    """Return the server for the cluster `data`/postgres.

    Args:
        data: the data folder.
        sockets: the folder of the server's Unix socket.
        account: the account that runs the server.
        durable: False turns off fsync, for tests only.
        extra_settings: settings to add to those of postgresql.conf.
        start_timeout: seconds until the server must respond.
    """
    binaries = postgres_binaries(account)
    cluster = data / CLUSTER

    async def prepare() -> None:
        await make_cluster(binaries, cluster, account)
        await stop_leftovers(cluster)
        _write_access_rules(sockets)

    settings = SETTINGS | ({} if durable else NOT_DURABLE) | dict(extra_settings) | {
        "unix_socket_directories": str(sockets),
        "hba_file": str(sockets / "pg_hba.conf"),
        "ident_file": str(sockets / "pg_ident.conf"),
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    return Server(
        name="PostgreSQL",
        command=account.command(binaries / "postgres", "-D", cluster, *options),
        log=data / "postgres.log",
        prepare=prepare,
        probe=lambda: probe(sockets),
        stop=signal.SIGINT,
        start_timeout=start_timeout,
    )


def database_url(sockets: Path, database: str = DATABASE, *, user: str = USER) -> str:
    """Return the URL of a database that is reached through the socket in `sockets`."""
    return f"postgresql://{user}@/{database}?host={sockets}"


async def make_database(sockets: Path) -> None:
    """Create Ludarium's database unless the cluster already has it."""
    connection = await asyncpg.connect(database_url(sockets, "postgres"))
    try:
        if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", DATABASE):
            await connection.execute(f"CREATE DATABASE {DATABASE}")
    finally:
        await connection.close()


async def make_cluster(binaries: Path, cluster: Path, account: Account) -> None:
    """Create the cluster if there is none.

    `initdb` works in another folder, so that the cluster appears complete or not at all.

    Raises:
        EmbeddedError: the cluster belongs to another account or PostgreSQL version, or `initdb` failed.
    """
    if cluster.exists():
        _check_owner(cluster, account)
        _check_major(cluster)
        return
    fresh = cluster.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    account.own(fresh)
    await _initdb(account.command(
        binaries / "initdb", "-D", fresh, f"--username={USER}", "--auth=reject", "--encoding=UTF8",
        "--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
    ))
    write_format(fresh, account)
    fresh.rename(cluster)


def _check_owner(cluster: Path, account: Account) -> None:
    if cluster.stat().st_uid != account.uid:
        raise EmbeddedError(f"The data in {cluster} belongs to another account than {account.name}: "
                            f"start Ludarium as before. {HINT}")


def _check_major(cluster: Path) -> None:
    """Raise EmbeddedError if the cluster has another major version of PostgreSQL.

    An invalid version file is left to PostgreSQL to report.
    """
    version = (cluster / "PG_VERSION").read_text().strip()
    if version.isdecimal() and int(version) != MAJOR:
        raise EmbeddedError(
            f"The data in {cluster} is of PostgreSQL {version}, and this release of Ludarium has {MAJOR}. Nothing was touched. "
            f"docs/one-server.md tells how it is moved: a copy first, then pg_dump by the release that made it. {HINT}"
        )


async def _initdb(command: list[str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, env=SERVER_ENVIRONMENT, cwd="/", stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        raise EmbeddedError(f"initdb failed:\n{output.decode(errors='replace').strip()}")


async def stop_leftovers(cluster: Path) -> None:
    """Stop servers that are still running on `cluster`, and remove their pid file.

    This process holds the lock of the data, so no other Ludarium is using it. The pid file may by now name an unrelated
    process, in which case PostgreSQL would refuse to start. Leftovers are therefore found by their working folder: a server
    whose parent was killed, or backends of a killed server, which must end before a new server writes there.

    Raises:
        EmbeddedError: a server cannot be stopped.
    """
    for signum, timeout in ((signal.SIGINT, 30.0), (signal.SIGKILL, 5.0)):
        for pid in server_pids(cluster):
            with suppress(ProcessLookupError):
                os.kill(pid, signum)
        if await _wait_until_gone(cluster, timeout):
            (cluster / "postmaster.pid").unlink(missing_ok=True)
            return
    raise EmbeddedError(f"A PostgreSQL that cannot be stopped is running on {cluster}.")


def server_pids(cluster: Path) -> list[int]:
    """Return the ids of PostgreSQL processes that work in `cluster`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # just ended, a zombie, or another account's
            if (process / "comm").read_text() == "postgres\n" and (process / "cwd").readlink() == cluster:
                found.append(int(process.name))
    return found


async def _wait_until_gone(cluster: Path, timeout: float) -> bool:
    """Wait until no server runs on `cluster`; return False after `timeout` seconds."""
    deadline = asyncio.get_running_loop().time() + timeout
    while server_pids(cluster):
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def _write_access_rules(sockets: Path) -> None:
    """Write rules that let only this process's account connect (peer authentication)."""
    for name, lines in (
        ("pg_hba.conf", f"local all {USER},{LOGIN} peer map=ludarium\nlocal replication {USER} peer map=ludarium\n"),
        ("pg_ident.conf", "".join(f'ludarium "{own_name()}" {user}\n' for user in (USER, LOGIN))),
    ):
        (sockets / name).write_text(lines)
        (sockets / name).chmod(0o644)


async def probe(sockets: Path) -> None:
    """Connect once. Raises any error of the driver while the server is not ready."""
    connection = await asyncpg.connect(database_url(sockets, "postgres"), timeout=PROBE_TIMEOUT)
    await connection.close(timeout=PROBE_TIMEOUT)
