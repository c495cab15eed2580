"""A place that has the ledger alone: is it complete, and what does it hold?"""
from __future__ import annotations

from typing import NamedTuple

from ludarium.ops.backups import marks
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.ledger import FOLDER, Entry, entries_in
from ludarium.ops.backups.marks import Mark
from ludarium.ops.backups.surveys import expected, faults
from ludarium.ops.backups.vault import Vault


class Ledger(NamedTuple):
    """entries: in their order. lacks: what is missing, in sentences. mark: None if there is none that can be believed."""

    entries: list[Entry]
    lacks: list[str]
    mark: Mark | None


def read(vault: Vault, seen: int) -> Ledger:
    """Read all files and compare them with the mark.

    Args:
        vault: the place.
        seen: the number of the newest mark that the database knows.

    Raises:
        BackupError: the place cannot be used, or the key does not fit.
    """
    lacks, entries = list[str](), list[Entry]()
    mark = expected(vault, lacks)
    if mark is not None and mark.number < seen:
        lacks.append(f"{marks.MARK} was set back: it has number {mark.number}, and number {seen} was written.")
    lacks += [f"{path} is {what}." for path, what in faults(vault.expected.values(), vault.sizes(FOLDER))]
    for name in vault.names(FOLDER):
        try:
            entries += entries_in(vault, name)
        except Damaged as error:
            lacks.append(str(error))
    return Ledger(entries, [*dict.fromkeys(lacks)], mark)


def check_whole(vault: Vault, found: Ledger) -> None:
    """Raises BackupError with all that is missing."""
    if found.lacks:
        raise BackupError("\n".join([
            f"{vault.place} is not complete:", *(f"  {each}" for each in found.lacks),
            "Nothing was done. Bring back what is missing. If it is lost, `--up-to-hole` does again what is there.",
        ]))  # fmt: skip
