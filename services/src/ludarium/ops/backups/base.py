"""Base backups: the whole of PostgreSQL's files as they stood at one moment, with the log that makes them whole."""
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
from ludarium.ops.backups.marks import note, reach_of
from ludarium.ops.backups.places import ABOUT, ARCHIVE, BASES, FORMAT, LOG, nth_of, pieces
from ludarium.ops.backups.rewriting import write_anew
from ludarium.ops.backups.vault import SEALED, Vault
from ludarium_engine.kernel.decoding import json_decoder

STARTED = """
    select now() as at, pg_walfile_name(pg_current_wal_lsn()) as segment, system_identifier as system,
      (select id::text from es.logs where lane = 0) as log
    from pg_control_system()"""
IDENTITY = "select system_identifier, (select id::text from es.logs where lane = 0) from pg_control_system()"
HOLD = "select pg_create_physical_replication_slot('ludarium_base', true, true)"
"""Its log stays while the connection does."""


class Base(msgspec.Struct, frozen=True):
    """One of them; it stands open beside it. ended: it holds all that was committed before. segment: where its log begins.

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
    """A new one; it is there when all of it is. Raises BackupError."""
    connection = await asyncpg.connect(url)
    try:
        before = await connection.fetchrow(STARTED)
        assert before is not None
        check_database(vault, before["system"], before["log"])
        reach = await reach_of(connection)
        await write_anew(connection)
        await connection.execute(HOLD)
        base = Base(before["at"], before["at"], before["segment"], before["system"], before["log"])
        await pour(url, vault, base)
        base = msgspec.structs.replace(base, ended=await connection.fetchval("select clock_timestamp()"))
        await asyncio.to_thread(vault.write_listed, f"{base.folder}/{ABOUT}", msgspec.json.encode(base))
        await note(connection, vault, reach)
        await mark(connection, "base")
    finally:
        await connection.close()
    return base


def check_database(vault: Vault, system: int, log: str) -> None:
    """Raises BackupError for a place that holds another database's."""
    if any((base.system, base.log) != (system, log) for base in bases(vault)):
        raise BackupError(f"{vault.place} holds the backups of another database: name another place for those of this one.")


async def pour(url: str, vault: Vault, base: Base) -> None:
    binaries = postgres_binaries(own_account())
    with subprocess.Popen(
        own_account().command(binaries / "pg_basebackup", f"--dbname={url}", "--pgdata=-", "--format=tar", "--wal-method=fetch",
                              "--checkpoint=fast", "--compress=client-gzip:1", "--no-password"),
        env=SERVER_ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            await asyncio.to_thread(vault.pour_in, base.archive, process.stdout, lambda: check_whole(process))
        finally:
            process.kill()


def check_whole(process: subprocess.Popen[Any]) -> None:
    assert process.stderr is not None
    told = process.stderr.read().decode(errors="replace").strip()
    if process.wait():
        raise BackupError(f"pg_basebackup failed: {told}")


async def mark(connection: asyncpg.Connection[asyncpg.Record], kind: str) -> None:
    await connection.execute(
        "insert into backups.done values ($1, now()) on conflict (kind) do update set at = excluded.at", kind
    )


def bases(vault: Vault) -> list[Base]:
    """All that are whole, the oldest first."""
    abouts = [name for name in vault.names(BASES) if name.endswith(f"/{ABOUT}")]
    return [about(vault, name) for name in abouts]


_base_in = json_decoder(Base)


def about(vault: Vault, name: str) -> Base:
    try:
        return _base_in(vault.read_open(name))
    except msgspec.MsgspecError as error:
        raise BackupError(f"{vault.place}/{name} is not what `ludarium backup` wrote: {error}.") from error


def forget_old(vault: Vault, most: int) -> None:
    """Retire all but so many, and the log that they alone need; they go with the next mark."""
    found = bases(vault)
    for base in found[:-most]:
        vault.retired += [f"{base.folder}/{ABOUT}", base.archive + SEALED]
    first = nth_of(found[-most:][0].segment)
    vault.retired += [piece.path for piece in pieces(vault.sizes(LOG)) if piece.nth < first]
