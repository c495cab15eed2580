"""Backs up the bundles of archived games.

Bundles never change, so each is encrypted and stored once.
"""
from __future__ import annotations

import asyncio
from typing import NamedTuple, TypeAlias

import asyncpg

from ludarium.ops.archive.bundles import BundleFiles, bundle_path
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.vault import Vault
from ludarium_eventstore.archive import Archived, archived_streams, hash_of

FOLDER = "archive"
ARCHIVE_NOT_SET = "Games are archived: LUDARIUM_ARCHIVE must name where their bundles are, as `ludarium serve` has it."
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class RestoredBundles(NamedTuple):
    """The result of restoring bundles.

    Attributes:
        restored: bundles that were restored.
        lost: streams whose bundles are neither in the archive nor in the backup.
    """

    restored: int
    lost: int


async def ship(connection: Connection, vault: Vault, files: BundleFiles | None, after: int) -> int:
    """Back up the bundles numbered above `after`, and return the last number.

    0 stands for all bundles. Raises BackupError.
    """
    known: set[str] = set() if after else {*await asyncio.to_thread(vault.names, FOLDER)}
    last = after
    async for nth, archived in archived_streams(connection.fetch, after):
        last = nth
        if backup_name(archived) not in known:
            await asyncio.to_thread(vault.write, backup_name(archived), await read_bundle(files, archived))
    return last


async def read_bundle(files: BundleFiles | None, archived: Archived) -> bytes:
    """Read a bundle from the archive. Raises BackupError if it is missing or damaged."""
    if files is None:
        raise BackupError(ARCHIVE_NOT_SET)
    data = await files.get(archived.stream)
    if data is None or hash_of(data) != archived.bundle:
        raise BackupError(f"The bundle {bundle_path(archived.stream)} in {files.place} is missing or was changed: "
                          "`ludarium verify --all` names them all.")
    return data


async def restore_bundles(connection: Connection, vault: Vault, files: BundleFiles | None) -> RestoredBundles:
    """Restore bundles that the database refers to and the archive lacks.

    Raises BackupError.
    """
    known = {*await asyncio.to_thread(vault.names, FOLDER)}
    restored = lost = 0
    async for _, archived in archived_streams(connection.fetch):
        if await has_bundle(files, archived):
            continue
        data = await asyncio.to_thread(read_from_backup, vault, archived) if backup_name(archived) in known else None
        if files is None or data is None:
            lost += 1
            continue
        await files.put(archived.stream, data)
        restored += 1
    return RestoredBundles(restored, lost)


def read_from_backup(vault: Vault, archived: Archived) -> bytes | None:
    """Return a bundle from the backup; None if it is damaged or differs.

    Raises:
        BackupError: the key is wrong.
    """
    try:
        data = vault.read(backup_name(archived))
    except Damaged:
        return None
    return data if hash_of(data) == archived.bundle else None


async def has_bundle(files: BundleFiles | None, archived: Archived) -> bool:
    """Return whether the archive has an undamaged copy of the bundle."""
    data = await files.get(archived.stream) if files else None
    return data is not None and hash_of(data) == archived.bundle


def backup_name(archived: Archived) -> str:
    """Return the name of a bundle's file in the backup.

    The name contains the bundle's hash, because a stream can be archived again with other rows after a restore.
    """
    return f"{FOLDER}/{bundle_path(archived.stream)}.{archived.bundle.hex()[:16]}"
