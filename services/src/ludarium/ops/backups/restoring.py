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

from ludarium.embedded.account import SERVER_ENVIRONMENT, Account
from ludarium.embedded.data_directory import socket_folder
from ludarium.embedded.errors import EmbeddedError
from ludarium.embedded.postgres import database_url, postgres
from ludarium.embedded.supervisor import Server, Supervisor
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.ops.backups import ledger
from ludarium.ops.backups.base import Base, mark
from ludarium.ops.backups.bundles import PutBack, put_back
from ludarium.ops.backups.errors import BackupError, Changed, Damaged
from ludarium.ops.backups.marks import Mark
from ludarium.ops.backups.places import LOG
from ludarium.ops.backups.surveys import Survey, survey
from ludarium.ops.backups.vault import Vault

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
ENDS = """
    select (pg_last_wal_replay_lsn() - '0/0')::bigint as lsn,
      ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline,
      coalesce((select max(position) from es.events), 0) as rows,
      exists (select from es.events where lane = 0 and position = $1 and hash <> decode($2, 'hex')) as other"""
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
    """cuts: of how many streams rows are known to be lost. again: what was done again of the ledger.

    lacks: what is missing although the place should have it, in sentences. mark: how far the log went; None: not known.
    """

    base: Base
    tip: Tip
    cuts: int
    again: int
    bundles: PutBack
    lacks: list[str]
    mark: Mark | None


# --- which one ----------------------------------------------------------------------------------------------------------
def check_moment(to: datetime | None) -> None:
    if to is not None and to.tzinfo is None:
        raise BackupError("Name the moment with its offset from UTC, as 2026-01-31T20:15:00Z.")
    if to is not None and to > datetime.now(UTC):
        raise BackupError("That moment is yet to come: leave --to away for all that there is.")


# --- its files ----------------------------------------------------------------------------------------------------------
def fetch_log(vault: Vault, found: Survey, folder: Path, account: Account) -> None:
    """The log behind the base, before the base: that a segment is damaged is known sooner. Raises BackupError."""
    folder.mkdir(mode=0o700)
    for name in found.histories:
        put(folder / name.removeprefix(f"{LOG}/"), inflated(vault, name), account)
    for piece in found.log:
        with lacking(found):
            put(folder / piece.segment, inflated(vault, piece.name).ljust(SEGMENT, b"\0"), account)


def unpack(vault: Vault, base: Base, log: Path, cluster: Path, account: Account) -> None:
    """PostgreSQL's files as they were, and the log behind them. Raises BackupError."""
    cluster.mkdir(mode=0o700)
    account.own(cluster)
    with subprocess.Popen(
        account.command("tar", "--extract", "--gzip", "--directory", cluster), env=SERVER_ENVIRONMENT, cwd="/",
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as tar:  # fmt: skip
        try:
            feed(tar, vault, base)
        finally:
            tar.kill()
    for path in log.iterdir():
        path.rename(cluster / "pg_wal" / path.name)
    put(cluster / "recovery.signal", b"", account)


@contextmanager
def lacking(found: Survey) -> Iterator[None]:
    """Note a damaged file; the restore goes on only if it may end there."""
    try:
        yield
    except Damaged as error:
        found.lacks.append(str(error))


def feed(tar: subprocess.Popen[bytes], vault: Vault, base: Base) -> None:
    assert tar.stdin is not None and tar.stderr is not None
    try:
        vault.pour_out(base.archive, tar.stdin)
    except Changed as error:
        raise Changed(f"{error} Move its folder away: an older base backup with the log behind it leads as far.") from error
    except BackupError:
        if tar.poll() is None:                  # else it has ended first, and knows why
            raise
    with suppress(BrokenPipeError):
        tar.stdin.close()
    told = tar.stderr.read().decode(errors="replace").strip()
    if tar.wait():
        raise BackupError(f"{base.archive} cannot be unpacked: {told}")


def inflated(vault: Vault, name: str) -> bytes:
    try:
        return gzip.decompress(vault.read(name))
    except (OSError, EOFError, zlib.error) as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error


def put(path: Path, data: bytes, account: Account) -> None:
    path.write_bytes(data)
    path.chmod(0o600)
    account.own(path)


# --- its life -----------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def recovered(
    vault: Vault, found: Survey, folder: Path, account: Account, to: datetime | None, *, up_to_hole: bool = False
) -> AsyncIterator[str]:
    """The URL of the database as it was then, in a new folder that stays; None: as far as the log goes. Raises BackupError."""
    folder.mkdir(mode=0o711)
    await asyncio.to_thread(fetch_log, vault, found, folder / "log", account)
    check_whole(vault, found, up_to_hole)
    await asyncio.to_thread(unpack, vault, found.base, folder / "log", folder / "postgres", account)
    with socket_folder(folder, account) as sockets:
        supervisor = Supervisor(recovering(folder, sockets, account, to))
        with reaching(to):
            await supervisor.start()
        try:
            yield database_url(sockets)
        finally:
            await supervisor.stop()


def check_whole(vault: Vault, found: Survey, up_to_hole: bool) -> None:
    """Raises BackupError with all that is missing, unless that is accepted."""
    if found.lacks and not up_to_hole:
        raise BackupError("\n".join([
            f"{vault.place} is not complete:", *(f"  {each}" for each in found.lacks),
            "Nothing was restored. Bring back what is missing. If it is lost, `--up-to-hole` restores what is there, and says "
            "what is not.",
        ]))  # fmt: skip


def recovering(folder: Path, sockets: Path, account: Account, to: datetime | None) -> Server:
    target = {} if to is None else {"recovery_target_time": to.astimezone(UTC).isoformat()}
    return postgres(folder, sockets, account, durable=False, extra_settings=RECOVERY | target, start_timeout=LONGEST)


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
    vault: Vault, data: Path, account: Account, to: datetime | None, files: BundleFiles | None = None, *,
    up_to_hole: bool = False,
) -> Restored:
    """Into `data`/postgres, which must not be there.

    Args:
        vault: the place, with the secret key.
        data: the folder that gets `postgres`.
        account: the owner of its files.
        to: a moment; None: all that there is.
        files: gets bundles of archived games that are not there.
        up_to_hole: accept that something is missing; `lacks` of the result names it.

    Raises:
        BackupError: something is missing or damaged, or the key does not fit.
        EmbeddedError, ArchiveError, StoreUnavailable: as of the servers and the archive.
    """
    check_moment(to)
    found = await asyncio.to_thread(survey, vault, to)
    check_whole(vault, found, up_to_hole)
    entries = await asyncio.to_thread(entries_of, vault, found)
    check_whole(vault, found, up_to_hole)
    with removed_at_the_end(data / "restoring", data / "survey") as (fresh, second):
        async with recovered(vault, found, fresh, account, to, up_to_hole=up_to_hole) as url:
            tip = await tip_of(url)
            if to is None:
                found.lacks.extend(await short_of(url, found.mark))
            lost = await lost_behind(vault, found, second, account, tip) if to else []
            again = await settled(url, tip, lost, entries)
            bundled = await bundles_of(url, vault, files)
            found.lacks.extend(told_of(bundled))
            check_whole(vault, found, up_to_hole)
        await asyncio.to_thread(os.sync)        # nothing was durable so far, or each of its files would have been waited for
        (fresh / "postgres").rename(data / "postgres")
    return Restored(found.base, tip, len(lost), again, bundled, found.lacks, found.mark)


def entries_of(vault: Vault, found: Survey) -> list[ledger.Entry]:
    entries = list[ledger.Entry]()
    for name in found.ledger:
        with lacking(found):
            entries += ledger.entries_in(vault, name)
    return entries


def told_of(bundled: PutBack) -> Iterator[str]:
    if bundled.lost:
        yield (f"The bundles of {bundled.lost} archived games are neither in the archive nor beside the backups: "
               "LUDARIUM_ARCHIVE must name where they are. A backup from before they were archived has those games.")


async def short_of(url: str, mark: Mark | None) -> list[str]:
    """What the recovered log lacks of what the mark says."""
    if mark is None:
        return []
    reach = mark.reach
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(ENDS, reach.rows, reach.head)
    finally:
        await connection.close()
    assert row is not None                      # of functions alone
    if row["lsn"] >= reach.lsn and row["timeline"] > reach.timeline and not row["other"]:
        return []
    ends = f"{row['lsn'] >> 32:X}/{row['lsn'] & 0xFFFFFFFF:X}, row {row['rows']}"
    return [f"The log ends at {ends}; the mark of {mark.at:%Y-%m-%dT%H:%M:%SZ} says {reach}."]


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
    found = await asyncio.to_thread(survey, vault, None)
    check_whole(vault, found, up_to_hole=False)
    with removed_at_the_end(folder):
        async with recovered(vault, found, folder, account, None) as url:
            tip = await tip_of(url)
            found.lacks.extend(await short_of(url, found.mark))
            check_whole(vault, found, up_to_hole=False)
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


async def lost_behind(vault: Vault, found: Survey, folder: Path, account: Account, tip: Tip) -> list[asyncpg.Record]:
    """Which rows of which streams the log had behind that: once more from the backup, to its end."""
    async with recovered(vault, found, folder, account, None, up_to_hole=True) as url:
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
