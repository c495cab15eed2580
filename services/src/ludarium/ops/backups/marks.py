"""The mark of a place: the files that the place has, how far its log goes, and when; signed by the server.

Each file is written before the mark that lists it, and removed after the mark that no longer does. Without the mark a file
that is missing at the end of the log looks like a log that ends there. Files that never change move to catalogues, each of
which has the digest of the one before, so the mark stays small.
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
from ludarium.ops.backups.places import ABOUT, BASES, FORMAT, PARTIAL, superseded
from ludarium.ops.backups.vault import SEALED, File, Vault, digest_of
from ludarium.platform.signing_keys import Signed, holds
from ludarium_engine.kernel.decoding import json_decoder

log = logging.getLogger(__name__)
MARK, CATALOGUES = "mark.json", "catalogues"
MOST = 64
"""Files that never change in the mark itself."""
LOCK = 0x6C75_6D61
"""Of PostgreSQL: one process at a time writes marks."""
PAGE, HEADERS = 8192, (24, 40)
"""Bytes of a page of PostgreSQL's log, and of what it begins with."""
REACH = """
    select ('x' || substr(pg_walfile_name(at), 1, 8))::bit(32)::int as timeline, (at - '0/0')::bigint as lsn,
      (select id::text from es.logs where lane = 0) as log, coalesce((select max(position) from es.events), 0) as rows,
      (select encode(hash, 'hex') from es.events where lane = 0 order by position desc limit 1) as head
    from (select pg_current_wal_insert_lsn() as at) w"""
SEEN = "select number, at from backups.marks where place = $1"
EACH = timedelta(seconds=50)
"""Between two marks of a follower that the database is told of: what it writes down becomes log to bring as well."""
WRITTEN = """
    insert into backups.marks (place, number, at, follows, faults) values ($1, $2, $3, $4, $5)
    on conflict (place) do update set number = excluded.number, at = excluded.at, follows = excluded.follows,
      faults = greatest(backups.marks.faults, excluded.faults)"""
ELSEWHERE = "update backups.marks set follows = false where $2 and place <> $1 and follows"
NOW = "select clock_timestamp(), system_identifier from pg_control_system()"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


class NoMark(BackupError):
    """The place has no mark that can be believed."""


class Reach(msgspec.Struct, frozen=True):
    """How far PostgreSQL's log goes, by timeline and LSN, and the log of games `log`: its last row's position and hash."""

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


NOWHERE = Reach(0, 0, None, 0, None)


class Mark(Signed, frozen=True, kw_only=True):
    """number: of marks of this place. system: of PostgreSQL. reach: all until there is in the place.

    follows: the next mark is due within a minute. catalogues: how many there are; catalogue: the digest of the last one.
    files: those in no catalogue.
    """

    format: int
    number: int
    at: datetime
    system: int
    follows: bool
    reach: Reach
    catalogues: int
    catalogue: str | None
    files: list[File]


class Catalogue(msgspec.Struct, frozen=True):
    """previous: the digest of the catalogue before this one."""

    previous: str | None
    files: list[File]


_mark, _catalogue = json_decoder(Mark), json_decoder(Catalogue)


def lines_of(mark: Mark) -> list[str]:
    reach = mark.reach
    said = [
        ("format", mark.format), ("number", mark.number), ("at", mark.at.isoformat()), ("system", mark.system),
        ("follows", mark.follows),
        ("timeline", reach.timeline), ("lsn", reach.lsn), ("log", reach.log), ("rows", reach.rows), ("head", reach.head),
        ("catalogues", mark.catalogues), ("catalogue", mark.catalogue),
    ]  # fmt: skip
    files = [f"file {file.digest} {file.size} {file.path}" for file in mark.files]
    return ["ludarium-mark/2", *(f"{name} {value}" for name, value in said), *files]


def name_of(number: int) -> str:
    return f"{CATALOGUES}/{number:08d}.json"


# --- read -----------------------------------------------------------------------------------------------------------------
def read(vault: Vault) -> Mark:
    """The newest mark, signed by a known key if any key is known. Raises NoMark, BackupError."""
    try:
        mark = _mark(vault.read_open(MARK))
    except Damaged:
        raise NoMark(f"{vault.place} has no {MARK}: it was removed.") from None
    except msgspec.MsgspecError as error:
        raise NoMark(f"{MARK} is damaged: {error}.") from None
    keys = vault.keys.signer.keys
    if keys and not holds(lines_of(mark), mark, keys):
        raise NoMark(
            f"{MARK} is not signed by a key of LUDARIUM_SIGNING_KEY or LUDARIUM_SIGNING_KEYS_BEFORE: it was changed, or "
            "another server wrote it."
        )
    return mark


def listed(vault: Vault, mark: Mark) -> dict[str, File]:
    """All files that the mark and its catalogues list. Raises Damaged if a catalogue is missing or changed."""
    files = {file.path: file for catalogue in catalogues(vault, mark) for file in catalogue.files}
    return files | {file.path: file for file in mark.files}


def catalogues(vault: Vault, mark: Mark) -> Iterator[Catalogue]:
    """The newest first."""
    digest = mark.catalogue
    for number in range(mark.catalogues, 0, -1):
        data = vault.read_open(name_of(number))
        if digest_of(data) != digest:
            raise Damaged(f"{name_of(number)} is not the file that the mark lists.")
        catalogue = _catalogue(data)
        yield catalogue
        digest = catalogue.previous


# --- written --------------------------------------------------------------------------------------------------------------
async def reach_of(connection: Connection) -> Reach:
    """How far the log goes now."""
    timeline, lsn, log, rows, head = await connection.fetchrow(REACH)  # type: ignore[misc]   # of functions and aggregates
    if lsn % PAGE in HEADERS:                   # the next record begins behind a page's header, the last one ended before it
        lsn -= lsn % PAGE
    return Reach(timeline, lsn, log, rows, head)


async def note(connection: Connection, vault: Vault, reach: Reach | None, *, follows: bool | None = None) -> Mark:
    """Write the next mark: it lists all that was written since, and what was retired goes.

    Args:
        connection: to the database that is backed up, as its owner.
        reach: all until there is in the place; None: no further than before.
        follows: a process goes on to write marks; None: as before.

    Raises:
        BackupError: the place cannot be used.
    """
    async with alone(connection):
        row = await connection.fetchrow(SEEN, vault.place)
        seen = max(row["number"] if row else 0, vault.number)
        before, fault = await asyncio.to_thread(last, vault, seen)
        made = await next_mark(connection, before, seen, reach, follows)
        made = await asyncio.to_thread(write, vault, made)
        if not follows or fault or row is None or made.at > row["at"] + EACH:
            await connection.execute(WRITTEN, vault.place, made.number, made.at, made.follows, int(fault))
            await connection.execute(ELSEWHERE, vault.place, made.follows)
        await asyncio.to_thread(remove_retired, vault)
    return made


async def next_mark(
    connection: Connection, before: Mark | None, seen: int, reach: Reach | None, follows: bool | None
) -> Mark:
    """Make the mark after `before`, not signed yet and without new files."""
    at, system = await connection.fetchrow(NOW)  # type: ignore[misc]   # of functions
    if before is None:
        return Mark(
            format=FORMAT, number=seen + 1, at=at.astimezone(UTC), system=system, follows=bool(follows),
            reach=reach or NOWHERE, catalogues=0, catalogue=None, files=[],
        )  # fmt: skip
    return msgspec.structs.replace(
        before, number=max(seen, before.number) + 1, at=at.astimezone(UTC), system=system,
        follows=before.follows if follows is None else follows,
        reach=max(before.reach, reach or NOWHERE, key=lambda each: each.end),
    )  # fmt: skip


@asynccontextmanager
async def alone(connection: Connection) -> AsyncIterator[None]:
    await connection.execute("select pg_advisory_lock($1)", LOCK)
    try:
        yield
    finally:
        if not connection.is_closed():
            await connection.execute("select pg_advisory_unlock($1)", LOCK)


def last(vault: Vault, seen: int) -> tuple[Mark | None, bool]:
    """Give the mark to go on from, and whether it is not the one that was last written.

    Without one the list of files begins anew with what is there. seen: the number of the last one, 0 if there was none.
    """
    try:
        mark = read(vault)
        if mark.number < seen:
            raise NoMark(f"{MARK} was set back from number {seen} to {mark.number}.")
        if vault.listed is None:
            adopt(vault, {*listed(vault, mark)})
    except (NoMark, Damaged) as error:
        if seen:
            log.warning("the list of the backup's files begins anew: %s", error)
        adopt(vault, set())
        return None, seen > 0
    return mark, False


def adopt(vault: Vault, known: set[str]) -> None:
    """List what no mark lists, as after a crash; retire parts of segments of which there is more."""
    here, written = vault.sizes(), {file.path for file in vault.written}
    vault.listed = known
    for path in sorted(here.keys() - known - written):
        if path == MARK or path.startswith(f"{CATALOGUES}/") or lacks_about(path, here):
            continue
        if superseded(path, here):
            vault.retired.append(path)
        else:
            vault.written.append(vault.file(path))


def lacks_about(path: str, here: Container[str]) -> bool:
    """Whether it is of a base backup that is not whole yet, or never will be."""
    return path.startswith(f"{BASES}/") and f"{path.rpartition('/')[0]}/{ABOUT}" not in here


def write(vault: Vault, mark: Mark) -> Mark:
    """Write it, signed, with the files that it does not list yet and without those that go."""
    assert vault.listed is not None
    files = {file.path: file for file in [*mark.files, *vault.written]}
    for path in vault.retired:
        files.pop(path, None)
    settled = [file for path, file in files.items() if is_settled(path)]
    if len(settled) > MOST:
        mark = catalogued(vault, mark, settled)
        files = {path: file for path, file in files.items() if not is_settled(path)}
    mark = msgspec.structs.replace(mark, files=[*files.values()], key=None, signature=None)
    key, signature = vault.keys.signer.sign(lines_of(mark))
    mark = msgspec.structs.replace(mark, key=key, signature=signature)
    vault.write_open(MARK, msgspec.json.encode(mark))
    vault.number = mark.number
    vault.listed |= {file.path for file in vault.written}
    vault.written.clear()
    return mark


def catalogued(vault: Vault, mark: Mark, files: list[File]) -> Mark:
    data = msgspec.json.encode(Catalogue(mark.catalogue, files))
    vault.write_open(name_of(mark.catalogues + 1), data)
    return msgspec.structs.replace(mark, catalogues=mark.catalogues + 1, catalogue=digest_of(data))


def is_settled(path: str) -> bool:
    """Whether it stays as it is until nobody needs it: base backups and parts of segments go."""
    return not path.startswith(f"{BASES}/") and not path.endswith(PARTIAL + SEALED)


def remove_retired(vault: Vault) -> None:
    vault.remove_open(vault.retired)
    vault.retired.clear()
