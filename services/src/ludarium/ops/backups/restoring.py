"""Restores a base backup and the log after it, up to a time, as a new database."""
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

from ludarium.embedded.account import SERVER_ENVIRONMENT, Account
from ludarium.embedded.data_directory import socket_folder
from ludarium.embedded.errors import EmbeddedError
from ludarium.embedded.postgres import database_url, postgres
from ludarium.embedded.supervisor import Server, Supervisor
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.ops.backups import ledger
from ludarium.ops.backups.base import Base, record_done
from ludarium.ops.backups.bundles import RestoredBundles, restore_bundles
from ludarium.ops.backups.errors import BackupError, Changed, Damaged
from ludarium.ops.backups.marks import Mark
from ludarium.ops.backups.places import LOG
from ludarium.ops.backups.surveys import Survey, survey
from ludarium.ops.backups.vault import Vault

SEGMENT = 16 << 20
MAX_RECOVERY_SECONDS = 24 * 3600.0
"""Seconds that replaying the log may take."""
RECOVERY = {"restore_command": "false", "hot_standby": "off", "recovery_target_action": "promote"}
"""PostgreSQL finds the log where it looks for its own; it accepts connections after replaying it."""
SELECT_LOST = """
    select stream_id, min(version) - 1 as kept, (array_agg(hash order by version desc))[1] as lost
    from es.events where position > $1 group by stream_id"""
SELECT_LOG_HEAD = """
    select coalesce(max(position), 0) as position, max(at) as at,
      (select hash from es.events where lane = 0 order by position desc limit 1) as hash
    from es.events"""
SELECT_RECOVERED_END = """
    select (pg_last_wal_replay_lsn() - '0/0')::bigint as lsn,
      ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline,
      coalesce((select max(position) from es.events), 0) as rows,
      exists (select from es.events where lane = 0 and position = $1 and hash <> decode($2, 'hex')) as other"""
SELECT_MATCH = """
    select exists (select from es.events where lane = 0 and position = $1 and hash = $2), max(position) from es.events"""


class LogHead(NamedTuple):
    """The last row of a log: its position, time and hash."""

    position: int
    at: datetime | None
    hash: bytes | None


class DrillReport(NamedTuple):
    """The result of a drill, which is a trial restore.

    Attributes:
        rows: rows of the log in the backup.
        missing_rows: newer rows of the live log that the backup lacks.
    """

    rows: int
    missing_rows: int


class RestoreReport(NamedTuple):
    """The result of a restore.

    Attributes:
        lost_tables: the number of streams that are known to have lost rows.
        reapplied: the number of ledger entries that were applied again.
        problems: sentences that describe what is missing.
        mark: the mark with the end of the log, None if not known.
    """

    base: Base
    head: LogHead
    lost_tables: int
    reapplied: int
    bundles: RestoredBundles
    problems: list[str]
    mark: Mark | None


# --- which one ----------------------------------------------------------------------------------------------------------
def check_moment(to: datetime | None) -> None:
    """Raise BackupError if the time lacks a UTC offset or is in the future."""
    if to is not None and to.tzinfo is None:
        raise BackupError("Name the moment with its offset from UTC, as 2026-01-31T20:15:00Z.")
    if to is not None and to > datetime.now(UTC):
        raise BackupError("That moment is yet to come: leave --to away for all that there is.")


# --- its files ----------------------------------------------------------------------------------------------------------
def fetch_log(vault: Vault, found: Survey, folder: Path, account: Account) -> None:
    """Fetch the log after the base backup, before the base backup itself.

    In this order, a damaged segment is found sooner. Raises BackupError.
    """
    folder.mkdir(mode=0o700)
    for name in found.histories:
        write_owned(folder / name.removeprefix(f"{LOG}/"), read_inflated(vault, name), account)
    for piece in found.log:
        with collecting_damage(found):
            write_owned(folder / piece.segment, read_inflated(vault, piece.name).ljust(SEGMENT, b"\0"), account)


def unpack(vault: Vault, base: Base, log: Path, cluster: Path, account: Account) -> None:
    """Unpack PostgreSQL's files and the log after them. Raises BackupError."""
    cluster.mkdir(mode=0o700)
    account.own(cluster)
    with subprocess.Popen(
        account.command("tar", "--extract", "--gzip", "--directory", cluster), env=SERVER_ENVIRONMENT, cwd="/",
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as tar:  # fmt: skip
        try:
            feed_tar(tar, vault, base)
        finally:
            tar.kill()
    for path in log.iterdir():
        path.rename(cluster / "pg_wal" / path.name)
    write_owned(cluster / "recovery.signal", b"", account)


@contextmanager
def collecting_damage(found: Survey) -> Iterator[None]:
    """Add damaged files to the problems.

    The restore continues only if problems are accepted.
    """
    try:
        yield
    except Damaged as error:
        found.problems.append(str(error))


def feed_tar(tar: subprocess.Popen[bytes], vault: Vault, base: Base) -> None:
    """Write the base backup to the input of tar."""
    assert tar.stdin is not None and tar.stderr is not None
    try:
        vault.read_into(base.archive, tar.stdin)
    except Changed as error:
        raise Changed(f"{error} Move its folder away: an older base backup with the log behind it leads as far.") from error
    except BackupError:
        if tar.poll() is None:                  # else it has ended first, and knows why
            raise
    with suppress(BrokenPipeError):
        tar.stdin.close()
    stderr = tar.stderr.read().decode(errors="replace").strip()
    if tar.wait():
        raise BackupError(f"{base.archive} cannot be unpacked: {stderr}")


def read_inflated(vault: Vault, name: str) -> bytes:
    """Read and decompress an encrypted gzip file."""
    try:
        return gzip.decompress(vault.read(name))
    except (OSError, EOFError, zlib.error) as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error


def write_owned(path: Path, data: bytes, account: Account) -> None:
    """Write a private file that belongs to the account."""
    path.write_bytes(data)
    path.chmod(0o600)
    account.own(path)


# --- its life -----------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def recovered_database(
    vault: Vault, found: Survey, folder: Path, account: Account, to: datetime | None, *, up_to_hole: bool = False
) -> AsyncIterator[str]:
    """Run the restored database in a new folder, and yield its URL.

    The folder remains afterwards. Raises BackupError.

    Args:
        to: the time to restore; None for the end of the log.
    """
    folder.mkdir(mode=0o711)
    await asyncio.to_thread(fetch_log, vault, found, folder / "log", account)
    check_complete(vault, found, up_to_hole)
    await asyncio.to_thread(unpack, vault, found.base, folder / "log", folder / "postgres", account)
    with socket_folder(folder, account) as sockets:
        supervisor = Supervisor(recovery_server(folder, sockets, account, to))
        with explain_unreached_target(to):
            await supervisor.start()
        try:
            yield database_url(sockets)
        finally:
            await supervisor.stop()


def check_complete(vault: Vault, found: Survey, up_to_hole: bool) -> None:
    """Raise BackupError with all problems, unless they are accepted."""
    if found.problems and not up_to_hole:
        raise BackupError("\n".join([
            f"{vault.place} is not complete:", *(f"  {each}" for each in found.problems),
            "Nothing was restored. Bring back what is missing. If it is lost, `--up-to-hole` restores what is there, and says "
            "what is not.",
        ]))  # fmt: skip


def recovery_server(folder: Path, sockets: Path, account: Account, to: datetime | None) -> Server:
    """Return the server that replays the log."""
    target = {} if to is None else {"recovery_target_time": to.astimezone(UTC).isoformat()}
    settings = RECOVERY | target
    return postgres(folder, sockets, account, durable=False, extra_settings=settings, start_timeout=MAX_RECOVERY_SECONDS)


@contextmanager
def explain_unreached_target(to: datetime | None) -> Iterator[None]:
    """Raise a clear error if the log ends before the time to restore."""
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
    vault: Vault, data: Path, account: Account, to: datetime | None, files: BundleFiles | None = None, *,
    up_to_hole: bool = False,
) -> RestoreReport:
    """Restore into `data`/postgres, which must not exist.

    Args:
        vault: the place, with the secret key.
        data: the folder in which `postgres` is created.
        account: the owner of the files.
        to: the time to restore; None for the end of the log.
        files: the archive, to which missing bundles are written.
        up_to_hole: continue although something is missing; the result's `problems` list it.

    Raises:
        BackupError: something is missing or damaged, or the key is wrong.
        EmbeddedError, ArchiveError, StoreUnavailable: the servers or the archive failed.
    """
    check_moment(to)
    found = await asyncio.to_thread(survey, vault, to)
    check_complete(vault, found, up_to_hole)
    entries = await asyncio.to_thread(read_all_entries, vault, found)
    check_complete(vault, found, up_to_hole)
    with temporary_folders(data / "restoring", data / "survey") as (fresh, second):
        async with recovered_database(vault, found, fresh, account, to, up_to_hole=up_to_hole) as url:
            head = await read_log_head(url)
            if to is None:
                found.problems.extend(await log_end_problems(url, found.mark))
            lost = await find_lost_events(vault, found, second, account, head) if to else []
            reapplied = await apply_ledger(url, head, lost, entries)
            bundled = await restore_archive(url, vault, files)
            found.problems.extend(bundle_problems(bundled))
            check_complete(vault, found, up_to_hole)
        await asyncio.to_thread(os.sync)        # nothing was durable so far, or each of its files would have been waited for
        (fresh / "postgres").rename(data / "postgres")
    return RestoreReport(found.base, head, len(lost), reapplied, bundled, found.problems, found.mark)


def read_all_entries(vault: Vault, found: Survey) -> list[ledger.Entry]:
    """Read the entries of the ledger, and add damaged files to the problems."""
    entries = list[ledger.Entry]()
    for name in found.ledger:
        with collecting_damage(found):
            entries += ledger.read_entries(vault, name)
    return entries


def bundle_problems(bundled: RestoredBundles) -> Iterator[str]:
    """Yield a sentence if bundles of archived games are lost."""
    if bundled.lost:
        yield (f"The bundles of {bundled.lost} archived games are neither in the archive nor beside the backups: "
               "LUDARIUM_ARCHIVE must name where they are. A backup from before they were archived has those games.")


async def log_end_problems(url: str, mark: Mark | None) -> list[str]:
    """Return a problem if the recovered log does not end where the mark says."""
    if mark is None:
        return []
    reach = mark.reach
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(SELECT_RECOVERED_END, reach.rows, reach.head)
    finally:
        await connection.close()
    assert row is not None                      # of functions alone
    if row["lsn"] >= reach.lsn and row["timeline"] > reach.timeline and not row["other"]:
        return []
    ends = f"{row['lsn'] >> 32:X}/{row['lsn'] & 0xFFFFFFFF:X}, row {row['rows']}"
    return [f"The log ends at {ends}; the mark of {mark.at:%Y-%m-%dT%H:%M:%SZ} says {reach}."]


@contextmanager
def temporary_folders(*folders: Path) -> Iterator[tuple[Path, ...]]:
    """Yield paths of folders, removed before and afterwards, even if an error occurs."""
    def remove() -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    remove()
    try:
        yield folders
    finally:
        remove()


async def run_drill(vault: Vault, living: str, folder: Path, account: Account) -> DrillReport:
    """Restore everything to a temporary folder, and compare the log with the live one.

    Raises BackupError.
    """
    found = await asyncio.to_thread(survey, vault, None)
    check_complete(vault, found, up_to_hole=False)
    with temporary_folders(folder):
        async with recovered_database(vault, found, folder, account, None) as url:
            head = await read_log_head(url)
            found.problems.extend(await log_end_problems(url, found.mark))
            check_complete(vault, found, up_to_hole=False)
    connection = await asyncpg.connect(living)
    try:
        stands, last = await connection.fetchrow(SELECT_MATCH, head.position, head.hash)  # type: ignore[misc]
        if head.position and not stands:
            raise BackupError(f"{vault.place} is of another log: its row {head.position} is not that of the living one.")
        await record_done(connection, "restore")
    finally:
        await connection.close()
    return DrillReport(head.position, (last or 0) - head.position)


async def read_log_head(url: str) -> LogHead:
    """Return the last row of a log."""
    connection = await asyncpg.connect(url)
    try:
        return LogHead(*await connection.fetchrow(SELECT_LOG_HEAD))  # type: ignore[misc]   # an aggregate has a row
    finally:
        await connection.close()


async def find_lost_events(vault: Vault, found: Survey, folder: Path, account: Account, head: LogHead) -> list[asyncpg.Record]:
    """Restore a second time to the end of the log, and return streams with later rows."""
    async with recovered_database(vault, found, folder, account, None, up_to_hole=True) as url:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetch(SELECT_LOST, head.position)
        finally:
            await connection.close()


async def restore_archive(url: str, vault: Vault, files: BundleFiles | None) -> RestoredBundles:
    """Restore missing bundles of archived games."""
    connection = await asyncpg.connect(url)
    try:
        if not await connection.fetchval("select to_regclass('es.archived') is not null"):
            return RestoredBundles(0, 0)                # of a release that archived nothing
        return await restore_bundles(connection, vault, files)
    finally:
        await connection.close()


async def apply_ledger(url: str, head: LogHead, lost: list[asyncpg.Record], entries: list[ledger.Entry]) -> int:
    """Record what is lost, apply the ledger, and return the number of its entries.

    Known losses are recorded by stream. Other losses are recorded as a time from which rows may be lost.
    """
    connection = await asyncpg.connect(url)
    try:
        await connection.executemany(
            "insert into backups.cuts (stream_id, kept, lost) values ($1, $2, $3) on conflict do nothing",
            [(row["stream_id"], row["kept"], row["lost"]) for row in lost],
        )
        await connection.execute(
            "insert into backups.cuts (since, until) values (coalesce($1, to_timestamp(0)), now())", head.at
        )
        return await ledger.apply(connection, entries)
    finally:
        await connection.close()
