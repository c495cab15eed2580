"""Bundles of archived games beside the backups, sealed: they never change, so each is brought there once, and stays."""
from __future__ import annotations

import asyncio
from typing import NamedTuple, TypeAlias

import asyncpg

from ludarium.ops.archive.bundles import BundleFiles, name_of
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.vault import Vault
from ludarium_eventstore.archive import Archived, archived_streams, hash_of

FOLDER = "archive"
UNNAMED = "Games are archived: LUDARIUM_ARCHIVE must name where their bundles are, as `ludarium serve` has it."
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class PutBack(NamedTuple):
    """there: bundles that were put back. lost: streams whose bundles are neither here nor beside the backups."""

    there: int
    lost: int


async def ship(connection: Connection, vault: Vault, files: BundleFiles | None, after: int) -> int:
    """Those archived behind `after` that are not there yet; the last one's number. 0: from the first on. Raises BackupError."""
    known: set[str] = set() if after else {*await asyncio.to_thread(vault.names, FOLDER)}
    last = after
    async for nth, archived in archived_streams(connection.fetch, after):
        last = nth
        if name_in(archived) not in known:
            await asyncio.to_thread(vault.write, name_in(archived), await whole(files, archived))
    return last


async def whole(files: BundleFiles | None, archived: Archived) -> bytes:
    """What is broken already is not brought beside what is whole."""
    if files is None:
        raise BackupError(UNNAMED)
    data = await files.get(archived.stream)
    if data is None or hash_of(data) != archived.bundle:
        raise BackupError(f"The bundle {name_of(archived.stream)} in {files.place} is missing or was changed: "
                          "`ludarium verify --all` names them all.")
    return data


async def put_back(connection: Connection, vault: Vault, files: BundleFiles | None) -> PutBack:
    """After a restore: the bundles that the database names and the archive lacks. Raises BackupError."""
    known = {*await asyncio.to_thread(vault.names, FOLDER)}
    there = lost = 0
    async for _, archived in archived_streams(connection.fetch):
        if await is_whole(files, archived):
            continue
        data = await asyncio.to_thread(beside, vault, archived) if name_in(archived) in known else None
        if files is None or data is None:
            lost += 1
            continue
        await files.put(archived.stream, data)
        there += 1
    return PutBack(there, lost)


def beside(vault: Vault, archived: Archived) -> bytes | None:
    """The bundle beside the backups; None if it is damaged or another one. Raises BackupError: the key does not fit."""
    try:
        data = vault.read(name_in(archived))
    except Damaged:
        return None
    return data if hash_of(data) == archived.bundle else None


async def is_whole(files: BundleFiles | None, archived: Archived) -> bool:
    data = await files.get(archived.stream) if files else None
    return data is not None and hash_of(data) == archived.bundle


def name_in(archived: Archived) -> str:
    """With the hash: a stream may be archived again on another way of a log that was set back."""
    return f"{FOLDER}/{name_of(archived.stream)}.{archived.bundle.hex()[:16]}"
