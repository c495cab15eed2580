"""PostgreSQL on a Unix socket: making the cluster, clearing what a crash left behind, running it."""

import asyncio
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

import asyncpg

from ludarium.embedded.account import ENVIRONMENT, Account, own_name
from ludarium.embedded.binaries import MAJOR, postgres_binaries
from ludarium.embedded.data_directory import CLUSTER, HINT, write_format
from ludarium.embedded.errors import EmbeddedError
from ludarium.embedded.supervisor import ANSWERS_WITHIN, Server

USER = DATABASE = "ludarium"
LOGIN = "ludarium_login"
"""The service's, which owns nothing; a migration makes it."""
PROBE_WITHIN = 5.0  # seconds

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "max_connections": "200",
    "log_checkpoints": "off",
    "max_slot_wal_keep_size": "2GB",            # what a backup that fell behind may hold on the disk
}

# Only for tests that prove nothing about durability: a crash of the machine could lose what was committed.
HASTE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def postgres(
    data: Path, sockets: Path, account: Account, *, durable: bool, further: Mapping[str, str] = MappingProxyType({}),
    answers_within: float = ANSWERS_WITHIN,
) -> Server:
    """PostgreSQL on the cluster `data`/postgres, to be reached in `sockets`, with further settings."""
    binaries = postgres_binaries(account)
    cluster = data / CLUSTER

    async def prepare() -> None:
        await make_cluster(binaries, cluster, account)
        await clear(cluster)
        _admit_only_us(sockets)

    settings = SETTINGS | ({} if durable else HASTE) | dict(further) | {
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
        answers_within=answers_within,
    )


def database_url(sockets: Path, database: str = DATABASE, *, user: str = USER) -> str:
    """How to connect to `database` through the socket in `sockets`."""
    return f"postgresql://{user}@/{database}?host={sockets}"


async def make_database(sockets: Path) -> None:
    """Make the database, if the cluster has none yet."""
    connection = await asyncpg.connect(database_url(sockets, "postgres"))
    try:
        if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", DATABASE):
            await connection.execute(f"CREATE DATABASE {DATABASE}")
    finally:
        await connection.close()


async def make_cluster(binaries: Path, cluster: Path, account: Account) -> None:
    """Make the cluster if there is none yet: whole or not at all, since `initdb` works on another name."""
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
    """Each PostgreSQL reads the files of its own major release alone. A file that is no number it judges itself."""
    made = (cluster / "PG_VERSION").read_text().strip()
    if made.isdecimal() and int(made) != MAJOR:
        raise EmbeddedError(
            f"The data in {cluster} is of PostgreSQL {made}, and this release of Ludarium has {MAJOR}. Nothing was touched. "
            f"docs/one-server.md tells how it is moved: a copy first, then pg_dump by the release that made it. {HINT}"
        )


async def _initdb(command: list[str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, env=ENVIRONMENT, cwd="/", stdin=asyncio.subprocess.DEVNULL,
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


async def clear(cluster: Path) -> None:
    """End the servers that still run on `cluster`, which we hold locked, and remove their pid file.

    The number in a pid file may be another process's by now, and PostgreSQL would refuse to start. So nothing trusts
    it: what counts is who works in the folder. A PostgreSQL does if the one who started it was killed; its backends
    do for a moment when it was killed itself, and must be gone before another writes there.
    """
    for signum, patience in ((signal.SIGINT, 30.0), (signal.SIGKILL, 5.0)):
        for pid in working_in(cluster):
            with suppress(ProcessLookupError):
                os.kill(pid, signum)
        if await _deserted(cluster, patience):
            (cluster / "postmaster.pid").unlink(missing_ok=True)
            return
    raise EmbeddedError(f"A PostgreSQL that cannot be stopped is running on {cluster}.")


def working_in(cluster: Path) -> list[int]:
    """The process ids of the PostgreSQL servers on `cluster`: all of them stand in the data folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended, is a zombie, or is another account's
            if (process / "comm").read_text() == "postgres\n" and (process / "cwd").readlink() == cluster:
                found.append(int(process.name))
    return found


async def _deserted(cluster: Path, patience: float) -> bool:
    deadline = asyncio.get_running_loop().time() + patience
    while working_in(cluster):
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def _admit_only_us(sockets: Path) -> None:
    """The kernel tells PostgreSQL who connects; it lets in our own account and nobody else."""
    for name, lines in (
        ("pg_hba.conf", f"local all {USER},{LOGIN} peer map=ludarium\nlocal replication {USER} peer map=ludarium\n"),
        ("pg_ident.conf", "".join(f'ludarium "{own_name()}" {user}\n' for user in (USER, LOGIN))),
    ):
        (sockets / name).write_text(lines)
        (sockets / name).chmod(0o644)


async def probe(sockets: Path) -> None:
    """Raises whatever the driver makes of a server that is not there, only just there, or dying."""
    connection = await asyncpg.connect(database_url(sockets, "postgres"), timeout=PROBE_WITHIN)
    await connection.close(timeout=PROBE_WITHIN)
