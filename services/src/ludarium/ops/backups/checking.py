"""Compares every file of a place with the mark (`ludarium backup --check`).

No secret key is needed.
"""
from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

import asyncpg

from ludarium.ops.backups import marks
from ludarium.ops.backups.base import Base
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.ledger import FOLDER as LEDGER
from ludarium.ops.backups.marks import Connection, Mark
from ludarium.ops.backups.places import LOG, segment_files, segment_number
from ludarium.ops.backups.surveys import complete_bases, file_faults, load_mark, log_from, missing_segments
from ludarium.ops.backups.vault import File, Vault

MAX_MARK_AGE = timedelta(minutes=5)
"""A mark older than this means that its writer has stopped."""
SAVE_CHECK = """
    update backups.marks set faults = $2, checked_at = now(), number = greatest(number, $3), at = coalesce($4, at)
    where place = $1"""


class CheckReport(NamedTuple):
    """The result of a check.

    Attributes:
        mark: the mark, None if there is no valid one.
        files: the number of files that were compared.
        size: their total size in bytes.
    """

    mark: Mark | None
    files: int
    size: int
    faults: list[str]


def check_place(vault: Vault, now: datetime, seen: int = 0) -> CheckReport:
    """Compare all files with the mark. Raises BackupError.

    Args:
        seen: the number of the newest mark that the database knows.
    """
    verified = set[File]()
    while True:
        checked = check_once(vault, now, seen, verified)
        if not checked.faults or checked.mark is None or is_newest(vault, checked.mark):
            return checked


def is_newest(vault: Vault, mark: Mark) -> bool:
    """Return whether this mark is still the newest one.

    A newer mark may have removed listed files.
    """
    try:
        return marks.read_mark(vault).number == mark.number
    except BackupError:
        return True


def check_once(vault: Vault, now: datetime, seen: int, verified: set[File]) -> CheckReport:
    """Compare all files with the mark once.

    Args:
        verified: files that need not be read again; newly verified files are added.
    """
    found = list[str]()
    mark = load_mark(vault, found)
    here = vault.sizes()
    found += mark_faults(mark, now, seen) if mark else []
    bases = complete_bases(vault, here)
    needed = [file for file in vault.expected.values() if is_retained(file, bases)]
    found += [f"{path} is {what}." for path, what in file_faults(needed, here)]
    found += [] if is_ledger_only(vault) else log_faults(here, bases)
    unread = [file for file in needed if file not in verified and here.get(file.path) == file.size]
    found += [fault for file in unread for fault in content_fault(vault, file, verified)]
    return CheckReport(mark, len(needed), sum(file.size for file in needed), [*dict.fromkeys(found)])


def mark_faults(mark: Mark, now: datetime, seen: int) -> Iterator[str]:
    """Yield faults of the mark if it was set back or is too old."""
    if mark.number < seen:
        yield f"{marks.MARK} was set back: it has number {mark.number}, and number {seen} was written."
    if mark.follows and now - mark.at > MAX_MARK_AGE:
        yield f"{marks.MARK} is of {mark.at:%Y-%m-%dT%H:%M:%SZ}: `ludarium backup --follow` has not written since."


def is_ledger_only(vault: Vault) -> bool:
    """Return whether the place contains only the ledger (`ludarium ledger ship`)."""
    return bool(vault.expected) and all(path.startswith(f"{LEDGER}/") for path in vault.expected)


def log_faults(here: dict[str, int], bases: list[Base]) -> Iterator[str]:
    """Yield faults for missing base backups and log segments."""
    if not bases:
        yield "There is no base backup that is whole."
        return
    newest = bases[-1].segment
    yield from (f"{LOG}/{segment} is missing." for segment in missing_segments(log_from(here, newest), newest))


def is_retained(file: File, bases: list[Base]) -> bool:
    """Return whether a file must exist; log before the oldest base backup need not."""
    return not bases or all(piece.nth >= segment_number(bases[0].segment) for piece in segment_files([file.path]))


def content_fault(vault: Vault, file: File, verified: set[File]) -> Iterator[str]:
    """Yield a fault if the file's content is not what the mark lists."""
    try:
        is_same = vault.describe(file.path) == file
    except Damaged:                             # it has gone since
        is_same = False
    if is_same:
        verified.add(file)
    else:
        yield f"{file.path} is not the file that the mark lists: it was changed or exchanged."


# --- the database that is backed up, where it runs -------------------------------------------------------------------------
async def known_mark_number(connection: Connection, vault: Vault) -> int:
    """Return the number of the newest mark that the database knows, 0 for none."""
    row = await connection.fetchrow(marks.SELECT_MARK, vault.place)
    return row["number"] if row else 0


async def save_report(connection: Connection, vault: Vault, checked: CheckReport) -> None:
    """Save the result for the metrics, provided the database knows the place."""
    mark = checked.mark
    number, at = (mark.number, mark.at) if mark else (0, None)
    await connection.execute(SAVE_CHECK, vault.place, len(checked.faults), number, at)


async def connect_if_running(url: str) -> Connection | None:
    """Connect to the database; return None if it does not respond."""
    try:
        return await asyncpg.connect(url, timeout=5)
    except (OSError, asyncpg.PostgresError, TimeoutError):
        return None

