"""`ludarium backup --check`: is a place complete and unchanged? It reads every file and needs no secret key."""
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
from ludarium.ops.backups.places import LOG, nth_of, pieces
from ludarium.ops.backups.surveys import expected, faults, from_base, holes, whole_bases
from ludarium.ops.backups.vault import File, Vault

OLD = timedelta(minutes=5)
"""Age of a mark at which its writer does not go on."""
CHECKED = """
    update backups.marks set faults = $2, checked_at = now(), number = greatest(number, $3), at = coalesce($4, at)
    where place = $1"""


class Checked(NamedTuple):
    """mark: None if there is none that can be believed. files, size: how many the mark lists and their bytes."""

    mark: Mark | None
    files: int
    size: int
    faults: list[str]


def check(vault: Vault, now: datetime, seen: int = 0) -> Checked:
    """Compare all files with the mark. seen: the number of the newest mark that is known. Raises BackupError."""
    whole = set[File]()
    while True:
        checked = look(vault, now, seen, whole)
        if not checked.faults or checked.mark is None or is_newest(vault, checked.mark):
            return checked


def is_newest(vault: Vault, mark: Mark) -> bool:
    """Else files that it lists may have given way to newer ones while they were looked at."""
    try:
        return marks.read(vault).number == mark.number
    except BackupError:
        return True


def look(vault: Vault, now: datetime, seen: int, whole: set[File]) -> Checked:
    """whole: files that were read already and are as they should be; more are added."""
    found = list[str]()
    mark = expected(vault, found)
    here = vault.sizes()
    found += of_mark(mark, now, seen) if mark else []
    bases = whole_bases(vault, here)
    needed = [file for file in vault.expected.values() if is_kept(file, bases)]
    found += [f"{path} is {what}." for path, what in faults(needed, here)]
    found += [] if has_ledger_alone(vault) else of_bases(here, bases)
    unread = [file for file in needed if file not in whole and here.get(file.path) == file.size]
    found += [told for file in unread for told in changed(vault, file, whole)]
    return Checked(mark, len(needed), sum(file.size for file in needed), [*dict.fromkeys(found)])


def of_mark(mark: Mark, now: datetime, seen: int) -> Iterator[str]:
    if mark.number < seen:
        yield f"{marks.MARK} was set back: it has number {mark.number}, and number {seen} was written."
    if mark.follows and now - mark.at > OLD:
        yield f"{marks.MARK} is of {mark.at:%Y-%m-%dT%H:%M:%SZ}: `ludarium backup --follow` has not written since."


def has_ledger_alone(vault: Vault) -> bool:
    """Whether `ludarium ledger ship` writes to the place: others make the backups."""
    return bool(vault.expected) and all(path.startswith(f"{LEDGER}/") for path in vault.expected)


def of_bases(here: dict[str, int], bases: list[Base]) -> Iterator[str]:
    if not bases:
        yield "There is no base backup that is whole."
        return
    newest = bases[-1].segment
    yield from (f"{LOG}/{segment} is missing." for segment in holes(from_base(here, newest), newest))


def is_kept(file: File, bases: list[Base]) -> bool:
    """Log from before the oldest base backup is not needed and may be gone."""
    return not bases or all(piece.nth >= nth_of(bases[0].segment) for piece in pieces([file.path]))


def changed(vault: Vault, file: File, whole: set[File]) -> Iterator[str]:
    try:
        is_same = vault.file(file.path) == file
    except Damaged:                             # it has gone since
        is_same = False
    if is_same:
        whole.add(file)
    else:
        yield f"{file.path} is not the file that the mark lists: it was changed or exchanged."


# --- the database that is backed up, where it runs -------------------------------------------------------------------------
async def seen_by(connection: Connection, vault: Vault) -> int:
    row = await connection.fetchrow(marks.SEEN, vault.place)
    return row["number"] if row else 0


async def tell(connection: Connection, vault: Vault, checked: Checked) -> None:
    """For the metrics. A place that this database does not know is not its own."""
    mark = checked.mark
    number, at = (mark.number, mark.at) if mark else (0, None)
    await connection.execute(CHECKED, vault.place, len(checked.faults), number, at)


async def connected(url: str) -> Connection | None:
    """None where no database answers."""
    try:
        return await asyncpg.connect(url, timeout=5)
    except (OSError, asyncpg.PostgresError, TimeoutError):
        return None

