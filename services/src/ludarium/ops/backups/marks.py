"""The mark of a place: a signed list of its files, with the end of its log.

Each file is written before the mark that lists it, and removed after the first mark that no longer does. Without the
mark, files missing at the end of the log could not be noticed. Files that never change are moved to catalogues, so that
the mark stays small. Each catalogue contains the digest of the catalogue before. See docs/decisions/026.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Container, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

import asyncpg
import msgspec

from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.places import ABOUT, BASES, FORMAT, PARTIAL, is_superseded
from ludarium.ops.backups.vault import SEALED, File, Vault, digest_of
from ludarium.platform.signing_keys import Signed, holds
from ludarium_engine.kernel.decoding import json_decoder

log = logging.getLogger(__name__)
MARK, CATALOGUES = "mark.json", "catalogues"
MAX_LISTED = 64
"""Maximum number of unchanging files listed in the mark itself."""
LOCK_ID = 0x6C75_6D61
"""PostgreSQL's advisory lock that lets one process at a time write marks."""
PAGE_BYTES, HEADER_BYTES = 8192, (24, 40)
"""Size of a page of PostgreSQL's log, and of its headers."""
SELECT_LOG_END = """
    select ('x' || substr(pg_walfile_name(at), 1, 8))::bit(32)::int as timeline, (at - '0/0')::bigint as lsn,
      (select id::text from es.logs where lane = 0) as log, coalesce((select max(position) from es.events), 0) as rows,
      (select encode(hash, 'hex') from es.events where lane = 0 order by position desc limit 1) as head
    from (select pg_current_wal_insert_lsn() as at) w"""
SELECT_MARK = "select number, at from backups.marks where place = $1"
SAVE_INTERVAL = timedelta(seconds=50)
"""Time between two marks that a follower saves in the database, because each save grows the log."""
SAVE_MARK = """
    insert into backups.marks (place, number, at, follows, faults) values ($1, $2, $3, $4, $5)
    on conflict (place) do update set number = excluded.number, at = excluded.at, follows = excluded.follows,
      faults = greatest(backups.marks.faults, excluded.faults)"""
UNFOLLOW_OTHERS = "update backups.marks set follows = false where $2 and place <> $1 and follows"
SELECT_NOW = "select clock_timestamp(), system_identifier from pg_control_system()"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class InvalidMark(BackupError):
    """The place has no valid mark."""


class LogEnd(msgspec.Struct, frozen=True):
    """The end of the logs in a place.

    `timeline` and `lsn` are the end of PostgreSQL's log. `rows` and `head` are position and hash of the last row in the log of
    games.
    """

    timeline: int
    lsn: int
    log: str | None
    rows: int
    head: str | None

    @property
    def end(self) -> tuple[int, int]:
        return self.timeline, self.lsn

    def __str__(self) -> str:
        return f"{self.lsn >> 32:X}/{self.lsn & 0xFFFFFFFF:X}, row {self.rows}"


NO_LOG = LogEnd(0, 0, None, 0, None)


class Mark(Signed, frozen=True, kw_only=True):
    """The signed state of a place.

    Attributes:
        number: counts the marks of this place.
        system: the identifier of the PostgreSQL cluster.
        reach: the end of the log in the place.
        follows: whether the next mark is due within a minute.
        catalogues: the number of catalogues.
        catalogue: the digest of the last catalogue.
        files: the files that are in no catalogue.
    """

    format: int
    number: int
    at: datetime
    system: int
    follows: bool
    reach: LogEnd
    catalogues: int
    catalogue: str | None
    files: list[File]


class Catalogue(msgspec.Struct, frozen=True):
    """A list of files that never change.

    Attributes:
        previous: the digest of the catalogue before this one.
    """

    previous: str | None
    files: list[File]


_decode_mark, _decode_catalogue = json_decoder(Mark), json_decoder(Catalogue)


def signed_lines(mark: Mark) -> list[str]:
    reach = mark.reach
    fields = [
        ("format", mark.format), ("number", mark.number), ("at", mark.at.isoformat()), ("system", mark.system),
        ("follows", mark.follows),
        ("timeline", reach.timeline), ("lsn", reach.lsn), ("log", reach.log), ("rows", reach.rows), ("head", reach.head),
        ("catalogues", mark.catalogues), ("catalogue", mark.catalogue),
    ]  # fmt: skip
    files = [f"file {file.digest} {file.size} {file.path}" for file in mark.files]
    return ["ludarium-mark/2", *(f"{name} {value}" for name, value in fields), *files]


def catalogue_path(number: int) -> str:
    return f"{CATALOGUES}/{number:08d}.json"


# --- read -----------------------------------------------------------------------------------------------------------------
def read_mark(vault: Vault) -> Mark:
    """Read the newest mark, and verify its signature if any key is known.

    Raises InvalidMark, BackupError.
    """
    try:
        mark = _decode_mark(vault.read_open(MARK))
    except Damaged:
        raise InvalidMark(f"{vault.place} has no {MARK}: it was removed.") from None
    except msgspec.MsgspecError as error:
        raise InvalidMark(f"{MARK} is damaged: {error}.") from None
    keys = vault.keys.signer.keys
    if keys and not holds(signed_lines(mark), mark, keys):
        raise InvalidMark(
            f"{MARK} is not signed by a key of LUDARIUM_SIGNING_KEY or LUDARIUM_SIGNING_KEYS_BEFORE: it was changed, or "
            "another server wrote it."
        )
    return mark


def listed_files(vault: Vault, mark: Mark) -> dict[str, File]:
    """Return all files listed by the mark and its catalogues, by path.

    Raises Damaged if a catalogue is missing or was changed.
    """
    files = {file.path: file for catalogue in read_catalogues(vault, mark) for file in catalogue.files}
    return files | {file.path: file for file in mark.files}


def read_catalogues(vault: Vault, mark: Mark) -> Iterator[Catalogue]:
    """Yield the catalogues, newest first."""
    digest = mark.catalogue
    for number in range(mark.catalogues, 0, -1):
        data = vault.read_open(catalogue_path(number))
        if digest_of(data) != digest:
            raise Damaged(f"{catalogue_path(number)} is not the file that the mark lists.")
        catalogue = _decode_catalogue(data)
        yield catalogue
        digest = catalogue.previous


# --- written --------------------------------------------------------------------------------------------------------------
async def current_log_end(connection: Connection) -> LogEnd:
    """Return the current end of the log."""
    timeline, lsn, log, rows, head = await connection.fetchrow(SELECT_LOG_END)  # type: ignore[misc]   # of functions and aggregates
    if lsn % PAGE_BYTES in HEADER_BYTES:         # the next record begins after a page's header, the last one ended before it
        lsn -= lsn % PAGE_BYTES
    return LogEnd(timeline, lsn, log, rows, head)


async def write_next_mark(connection: Connection, vault: Vault, reach: LogEnd | None, *, follows: bool | None = None) -> Mark:
    """Write the next mark, which lists new files, and then remove retired files.

    Args:
        connection: a connection to the backed-up database, as its owner.
        reach: the end of the log in the place; None if unchanged.
        follows: whether a process continues to write marks; None if unchanged.

    Raises:
        BackupError: the place cannot be used.
    """
    async with mark_lock(connection):
        row = await connection.fetchrow(SELECT_MARK, vault.place)
        seen = max(row["number"] if row else 0, vault.number)
        before, fault = await asyncio.to_thread(previous_mark, vault, seen)
        made = await build_next_mark(connection, before, seen, reach, follows)
        made = await asyncio.to_thread(write_mark, vault, made)
        if not follows or fault or row is None or made.at > row["at"] + SAVE_INTERVAL:
            await connection.execute(SAVE_MARK, vault.place, made.number, made.at, made.follows, int(fault))
            await connection.execute(UNFOLLOW_OTHERS, vault.place, made.follows)
        await asyncio.to_thread(remove_retired, vault)
    return made


async def build_next_mark(
    connection: Connection, before: Mark | None, seen: int, reach: LogEnd | None, follows: bool | None
) -> Mark:
    """Return the mark that follows `before`, still without signature and new files."""
    at, system = await connection.fetchrow(SELECT_NOW)  # type: ignore[misc]   # of functions
    if before is None:
        return Mark(
            format=FORMAT, number=seen + 1, at=at.astimezone(UTC), system=system, follows=bool(follows),
            reach=reach or NO_LOG, catalogues=0, catalogue=None, files=[],
        )  # fmt: skip
    return msgspec.structs.replace(
        before, number=max(seen, before.number) + 1, at=at.astimezone(UTC), system=system,
        follows=before.follows if follows is None else follows,
        reach=max(before.reach, reach or NO_LOG, key=lambda each: each.end),
    )  # fmt: skip


@asynccontextmanager
async def mark_lock(connection: Connection) -> AsyncIterator[None]:
    """Hold the lock for writing marks."""
    await connection.execute("select pg_advisory_lock($1)", LOCK_ID)
    try:
        yield
    finally:
        if not connection.is_closed():
            await connection.execute("select pg_advisory_unlock($1)", LOCK_ID)


def previous_mark(vault: Vault, seen: int) -> tuple[Mark | None, bool]:
    """Return the mark to continue from, and whether the last written mark was lost.

    Without a mark, the list of files starts again with the files found.

    Args:
        seen: the number of the last written mark, 0 if there was none.
    """
    try:
        mark = read_mark(vault)
        if mark.number < seen:
            raise InvalidMark(f"{MARK} was set back from number {seen} to {mark.number}.")
        if vault.listed is None:
            adopt_files(vault, {*listed_files(vault, mark)})
    except (InvalidMark, Damaged) as error:
        if seen:
            log.warning("the list of the backup's files begins anew: %s", error)
        adopt_files(vault, set())
        return None, seen > 0
    return mark, False


def adopt_files(vault: Vault, known: set[str]) -> None:
    """List files that no mark lists, as after a crash, and retire superseded files."""
    here, written = vault.sizes(), {file.path for file in vault.written}
    vault.listed = known
    for path in sorted(here.keys() - known - written):
        if path == MARK or path.startswith(f"{CATALOGUES}/") or is_incomplete_base(path, here):
            continue
        if is_superseded(path, here):
            vault.retired.append(path)
        else:
            vault.written.append(vault.describe(path))


def is_incomplete_base(path: str, here: Container[str]) -> bool:
    """Return whether the file belongs to an incomplete base backup."""
    return path.startswith(f"{BASES}/") and f"{path.rpartition('/')[0]}/{ABOUT}" not in here


def write_mark(vault: Vault, mark: Mark) -> Mark:
    """Sign and write a mark with new files added and retired files left out."""
    assert vault.listed is not None
    files = {file.path: file for file in [*mark.files, *vault.written]}
    for path in vault.retired:
        files.pop(path, None)
    settled = [file for path, file in files.items() if is_permanent(path)]
    if len(settled) > MAX_LISTED:
        mark = move_to_catalogue(vault, mark, settled)
        files = {path: file for path, file in files.items() if not is_permanent(path)}
    mark = msgspec.structs.replace(mark, files=[*files.values()], key=None, signature=None)
    key, signature = vault.keys.signer.sign(signed_lines(mark))
    mark = msgspec.structs.replace(mark, key=key, signature=signature)
    vault.write_open(MARK, msgspec.json.encode(mark))
    vault.number = mark.number
    vault.listed |= {file.path for file in vault.written}
    vault.written.clear()
    return mark


def move_to_catalogue(vault: Vault, mark: Mark, files: list[File]) -> Mark:
    """Write a catalogue of these files, and return the mark that refers to it."""
    data = msgspec.json.encode(Catalogue(mark.catalogue, files))
    vault.write_open(catalogue_path(mark.catalogues + 1), data)
    return msgspec.structs.replace(mark, catalogues=mark.catalogues + 1, catalogue=digest_of(data))


def is_permanent(path: str) -> bool:
    """Return whether the file is kept until it is unused.

    Base backups and partial segments are removed earlier.
    """
    return not path.startswith(f"{BASES}/") and not path.endswith(PARTIAL + SEALED)


def remove_retired(vault: Vault) -> None:
    vault.remove_open(vault.retired)
    vault.retired.clear()
