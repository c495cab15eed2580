"""Base backups, which contain all files of PostgreSQL.

They include the part of PostgreSQL's log that makes the files consistent.
"""
from __future__ import annotations

import asyncio
import subprocess
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from ludarium.embedded.account import SERVER_ENVIRONMENT, own_account
from ludarium.embedded.binaries import MAJOR, postgres_binaries
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.marks import current_log_end, write_next_mark
from ludarium.ops.backups.places import ABOUT, ARCHIVE, BASES, FORMAT, LOG, segment_files, segment_number
from ludarium.ops.backups.rewriting import rewrite_tables
from ludarium.ops.backups.vault import SEALED, Vault
from ludarium_engine.kernel.decoding import json_decoder

SELECT_START = """
    select now() as at, pg_walfile_name(pg_current_wal_lsn()) as segment, system_identifier as system,
      (select id::text from es.logs where lane = 0) as log
    from pg_control_system()"""
SELECT_IDENTITY = "select system_identifier, (select id::text from es.logs where lane = 0) from pg_control_system()"
HOLD_LOG = "select pg_create_physical_replication_slot('ludarium_base', true, true)"
"""SQL that makes PostgreSQL keep its log while the connection is open."""


class Base(msgspec.Struct, frozen=True):
    """The unencrypted description of a base backup.

    Attributes:
        started: when the backup started.
        ended: a time before which all commits are in the backup.
        segment: the first segment of PostgreSQL's log that the backup needs.
        system: the identifier of the PostgreSQL cluster.
        log: the id of the log of games.
    """

    started: datetime
    ended: datetime
    segment: str
    system: int
    log: str
    major: int = MAJOR
    format: int = FORMAT

    @property
    def folder(self) -> str:
        return f"{BASES}/{self.started:%Y%m%dT%H%M%S.%fZ}"

    @property
    def archive(self) -> str:
        return f"{self.folder}/{ARCHIVE}"


async def take_base(url: str, vault: Vault) -> Base:
    """Take a base backup, valid once completely written. Raises BackupError."""
    connection = await asyncpg.connect(url)
    try:
        before = await connection.fetchrow(SELECT_START)
        assert before is not None
        check_database(vault, before["system"], before["log"])
        reach = await current_log_end(connection)
        await rewrite_tables(connection)
        await connection.execute(HOLD_LOG)
        base = Base(before["at"], before["at"], before["segment"], before["system"], before["log"])
        await stream_base(url, vault, base)
        base = msgspec.structs.replace(base, ended=await connection.fetchval("select clock_timestamp()"))
        await asyncio.to_thread(vault.write_listed, f"{base.folder}/{ABOUT}", msgspec.json.encode(base))
        await write_next_mark(connection, vault, reach)
        await record_done(connection, "base")
    finally:
        await connection.close()
    return base


def check_database(vault: Vault, system: int, log: str) -> None:
    """Raise BackupError if the place contains backups of another database."""
    if any((base.system, base.log) != (system, log) for base in read_bases(vault)):
        raise BackupError(f"{vault.place} holds the backups of another database: name another place for those of this one.")


async def stream_base(url: str, vault: Vault, base: Base) -> None:
    """Stream the output of pg_basebackup into the place."""
    binaries = postgres_binaries(own_account())
    with subprocess.Popen(
        own_account().command(binaries / "pg_basebackup", f"--dbname={url}", "--pgdata=-", "--format=tar", "--wal-method=fetch",
                              "--checkpoint=fast", "--compress=client-gzip:1", "--no-password"),
        env=SERVER_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            await asyncio.to_thread(vault.write_stream, base.archive, process.stdout, lambda: check_exit_status(process))
        finally:
            process.kill()


def check_exit_status(process: subprocess.Popen[Any]) -> None:
    """Raise BackupError if pg_basebackup failed."""
    assert process.stderr is not None
    stderr = process.stderr.read().decode(errors="replace").strip()
    if process.wait():
        raise BackupError(f"pg_basebackup failed: {stderr}")


async def record_done(connection: asyncpg.Connection[asyncpg.Record], kind: str) -> None:
    """Save the time of this kind of backup, for the metrics."""
    await connection.execute(
        "insert into backups.done values ($1, now()) on conflict (kind) do update set at = excluded.at", kind
    )


def read_bases(vault: Vault) -> list[Base]:
    """Return all complete base backups, oldest first."""
    abouts = [name for name in vault.names(BASES) if name.endswith(f"/{ABOUT}")]
    return [read_base(vault, name) for name in abouts]


_decode_base = json_decoder(Base)


def read_base(vault: Vault, name: str) -> Base:
    """Read the description of a base backup. Raises BackupError."""
    try:
        return _decode_base(vault.read_open(name))
    except msgspec.MsgspecError as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error


def retire_old(vault: Vault, most: int) -> None:
    """Mark old base backups, and the log that only they need, for removal.

    The newest `most` base backups are kept. The next mark removes the others.
    """
    found = read_bases(vault)
    for base in found[:-most]:
        vault.retired += [f"{base.folder}/{ABOUT}", base.archive + SEALED]
    first = segment_number(found[-most:][0].segment)
    vault.retired += [piece.path for piece in segment_files(vault.sizes(LOG)) if piece.nth < first]
