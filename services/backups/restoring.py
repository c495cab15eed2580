"""The way back: a base backup and the log behind it, up to a moment, as a database of its own."""
from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import subprocess
import zlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import asyncpg

from services.archive.bundles import BundleFiles
from services.backups import ledger
from services.backups.base import HISTORY, LOG, PARTIAL, Base, bases, mark, place_of, segments
from services.backups.bundles import PutBack, put_back
from services.backups.errors import BackupError
from services.backups.vault import Vault
from services.embedded.account import ENVIRONMENT, Account
from services.embedded.binaries import MAJOR
from services.embedded.errors import EmbeddedError
from services.embedded.place import socket_folder
from services.embedded.postgres import database_url, postgres
from services.embedded.supervisor import Server, Supervisor

SEGMENT = 16 << 20
LONGEST = 24 * 3600.0
"""Seconds that going through the log may take."""
RECOVERY = {"restore_command": "false", "hot_standby": "off", "recovery_target_action": "promote"}
"""The log lies where PostgreSQL looks for its own; it answers when it has come to the end."""
BEHIND = """
    select stream_id, min(version) - 1 as kept, (array_agg(hash order by version desc))[1] as lost
    from es.events where position > $1 group by stream_id"""
TIP = """
    select coalesce(max(position), 0) as position, max(at) as at,
      (select hash from es.events where lane = 0 order by position desc limit 1) as hash
    from es.events"""
STANDS = "select exists (select from es.events where lane = 0 and position = $1 and hash = $2), max(position) from es.events"


class Tip(NamedTuple):
    """The end of a log: the position of its last row, its time and its hash."""

    position: int
    at: datetime | None
    hash: bytes | None


class Drill(NamedTuple):
    """rows: of the log, in the backup. behind: how many more the living one has."""

    rows: int
    behind: int


class Restored(NamedTuple):
    """cuts: of how many streams rows are known to be lost. again: what was done again of the ledger."""

    base: Base
    tip: Tip
    cuts: int
    again: int
    bundles: PutBack


# --- which one ----------------------------------------------------------------------------------------------------------
def base_for(vault: Vault, to: datetime | None) -> Base:
    """The newest that had ended by then. Raises BackupError."""
    found = bases(vault)
    if not found:
        raise BackupError(f"{vault.place} has no backup that is whole.")
    fitting = [base for base in found if to is None or base.ended <= to]
    if not fitting:
        raise BackupError(f"The first backup ended at {found[0].ended:%Y-%m-%dT%H:%M:%SZ}: name a moment after it.")
    if fitting[-1].major != MAJOR:
        raise BackupError(
            f"That backup is of PostgreSQL {fitting[-1].major}, this is {MAJOR}: restore it with the release that made it, "
            "then move its data with pg_dump."
        )
    return fitting[-1]


def check_moment(to: datetime | None) -> None:
    if to is not None and to.tzinfo is None:
        raise BackupError("Name the moment with its offset from UTC, as 2026-01-31T20:15:00Z.")
    if to is not None and to > datetime.now(UTC):
        raise BackupError("That moment is yet to come: leave --to away for all that there is.")


# --- its files ----------------------------------------------------------------------------------------------------------
def unpack(vault: Vault, base: Base, cluster: Path, account: Account) -> None:
    """As PostgreSQL had them, and the log behind them. Raises BackupError."""
    cluster.mkdir(mode=0o700)
    account.own(cluster)
    with subprocess.Popen(
        account.command("tar", "--extract", "--gzip", "--directory", cluster), env=ENVIRONMENT, cwd="/",
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as tar:  # fmt: skip
        try:
            feed(tar, vault, base)
        finally:
            tar.kill()
    for name, data in log_of(vault, base):
        put(cluster / "pg_wal" / name, data, account)
    put(cluster / "recovery.signal", b"", account)


def feed(tar: subprocess.Popen[bytes], vault: Vault, base: Base) -> None:
    assert tar.stdin is not None and tar.stderr is not None
    try:
        vault.pour_out(base.archive, tar.stdin)
    except BackupError:
        if tar.poll() is None:                  # else it has ended first, and knows why
            raise
    with suppress(BrokenPipeError):
        tar.stdin.close()
    told = tar.stderr.read().decode(errors="replace").strip()
    if tar.wait():
        raise BackupError(f"{base.archive} cannot be unpacked: {told}")


def log_of(vault: Vault, base: Base) -> Iterator[tuple[str, bytes]]:
    """Segments from the base's first on, and the histories of timelines, by the names that PostgreSQL has for them."""
    found = set(segments(vault))
    for name in sorted(found):
        whole = name.removesuffix(PARTIAL)
        if place_of(name) >= place_of(base.segment) and (name == whole or whole not in found):
            yield whole, inflated(vault, name).ljust(SEGMENT, b"\0")
    for name in vault.names(LOG):
        if name.endswith(HISTORY):
            yield name.removeprefix(f"{LOG}/"), inflated(vault, name.removeprefix(f"{LOG}/"))


def inflated(vault: Vault, name: str) -> bytes:
    try:
        return gzip.decompress(vault.read(f"{LOG}/{name}"))
    except (OSError, EOFError, zlib.error) as error:
        raise BackupError(f"{vault.place}/{LOG}/{name} is not what `ludarium backup` wrote: {error}.") from error


def put(path: Path, data: bytes, account: Account) -> None:
    path.write_bytes(data)
    path.chmod(0o600)
    account.own(path)


# --- its life -----------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def recovered(vault: Vault, base: Base, folder: Path, account: Account, to: datetime | None) -> AsyncIterator[str]:
    """The URL of the database as it was then, in a new folder that stays; None: as far as the log goes. Raises BackupError."""
    folder.mkdir(mode=0o711)
    await asyncio.to_thread(unpack, vault, base, folder / "postgres", account)
    with socket_folder(folder, account) as sockets:
        supervisor = Supervisor(recovering(folder, sockets, account, to))
        with reaching(to):
            await supervisor.start()
        try:
            yield database_url(sockets)
        finally:
            await supervisor.stop()


def recovering(folder: Path, sockets: Path, account: Account, to: datetime | None) -> Server:
    target = {} if to is None else {"recovery_target_time": to.astimezone(UTC).isoformat()}
    return postgres(folder, sockets, account, durable=False, further=RECOVERY | target, answers_within=LONGEST)


@contextmanager
def reaching(to: datetime | None) -> Iterator[None]:
    try:
        yield
    except EmbeddedError as error:
        if to is not None and "before configured recovery target was reached" in str(error):
            raise BackupError(
                f"Nothing was committed after {to.isoformat()} as far as the log beside the backups goes: leave --to away."
            ) from error
        raise


# --- what it means ------------------------------------------------------------------------------------------------------
async def restore(
    vault: Vault, data: Path, account: Account, to: datetime | None, files: BundleFiles | None = None
) -> Restored:
    """Into `data`/postgres, which must not be there. files: where bundles of archived games go that are not there.

    Raises BackupError, EmbeddedError, ArchiveError, StoreUnavailable.
    """
    check_moment(to)
    base = await asyncio.to_thread(base_for, vault, to)
    entries = await asyncio.to_thread(ledger.read, vault)
    with removed_at_the_end(data / "restoring", data / "survey") as (fresh, survey):
        async with recovered(vault, base, fresh, account, to) as url:
            tip = await tip_of(url)
            lost = await lost_behind(vault, base, survey, account, tip) if to else []
            again = await settled(url, tip, lost, entries)
            bundled = await bundles_of(url, vault, files)
        await asyncio.to_thread(os.sync)        # nothing was durable so far, or each of its files would have been waited for
        (fresh / "postgres").rename(data / "postgres")
    return Restored(base, tip, len(lost), again, bundled)


@contextmanager
def removed_at_the_end(*folders: Path) -> Iterator[tuple[Path, ...]]:
    """Working folders: empty at the beginning, gone at the end, whether the work succeeds or not."""
    def remove() -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    remove()
    try:
        yield folders
    finally:
        remove()


async def drill(vault: Vault, living: str, folder: Path, account: Account) -> Drill:
    """All that there is, restored into a new folder that does not stay, and held against the living log. Raises BackupError."""
    base = await asyncio.to_thread(base_for, vault, None)
    with removed_at_the_end(folder):
        async with recovered(vault, base, folder, account, None) as url:
            tip = await tip_of(url)
    connection = await asyncpg.connect(living)
    try:
        stands, last = await connection.fetchrow(STANDS, tip.position, tip.hash)  # type: ignore[misc]
        if tip.position and not stands:
            raise BackupError(f"{vault.place} is of another log: its row {tip.position} is not that of the living one.")
        await mark(connection, "restore")
    finally:
        await connection.close()
    return Drill(tip.position, (last or 0) - tip.position)


async def tip_of(url: str) -> Tip:
    connection = await asyncpg.connect(url)
    try:
        return Tip(*await connection.fetchrow(TIP))  # type: ignore[misc]   # an aggregate has a row
    finally:
        await connection.close()


async def lost_behind(vault: Vault, base: Base, folder: Path, account: Account, tip: Tip) -> list[asyncpg.Record]:
    """Which rows of which streams the log had behind that: once more from the backup, to its end."""
    async with recovered(vault, base, folder, account, None) as url:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetch(BEHIND, tip.position)
        finally:
            await connection.close()


async def bundles_of(url: str, vault: Vault, files: BundleFiles | None) -> PutBack:
    connection = await asyncpg.connect(url)
    try:
        if not await connection.fetchval("select to_regclass('es.archived') is not null"):
            return PutBack(0, 0)                # of a release that archived nothing
        return await put_back(connection, vault, files)
    finally:
        await connection.close()


async def settled(url: str, tip: Tip, lost: list[asyncpg.Record], entries: list[ledger.Entry]) -> int:
    """The ledger is done again, and what is lost is written down: what is known, and since when anything may be."""
    connection = await asyncpg.connect(url)
    try:
        await connection.executemany(
            "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, $3) on conflict do nothing",
            [(row["stream_id"], row["kept"], row["lost"]) for row in lost],
        )
        await connection.execute(
            "insert into backups.cuts (since, until) values (coalesce($1, to_timestamp(0)), now())", tip.at
        )
        return await ledger.apply(connection, entries)
    finally:
        await connection.close()
