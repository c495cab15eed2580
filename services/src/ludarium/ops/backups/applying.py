"""Reads and checks a place that contains only the ledger."""
from __future__ import annotations

from typing import NamedTuple

from ludarium.ops.backups import marks
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.ledger import FOLDER, Entry, read_entries
from ludarium.ops.backups.marks import Mark
from ludarium.ops.backups.surveys import file_faults, load_mark
from ludarium.ops.backups.vault import Vault


class Ledger(NamedTuple):
    """The ledger in a place.

    Attributes:
        entries: the entries in order.
        problems: sentences that describe what is missing.
        mark: the mark, None if there is no valid one.
    """

    entries: list[Entry]
    problems: list[str]
    mark: Mark | None


def read_ledger(vault: Vault, seen: int) -> Ledger:
    """Read all files of the ledger and compare them with the mark.

    Args:
        vault: the place.
        seen: the number of the newest mark that the database knows.

    Raises:
        BackupError: the place cannot be used, or the key is wrong.
    """
    problems, entries = list[str](), list[Entry]()
    mark = load_mark(vault, problems)
    if mark is not None and mark.number < seen:
        problems.append(f"{marks.MARK} was set back: it has number {mark.number}, and number {seen} was written.")
    problems += [f"{path} is {what}." for path, what in file_faults(vault.expected.values(), vault.sizes(FOLDER))]
    for name in vault.names(FOLDER):
        try:
            entries += read_entries(vault, name)
        except Damaged as error:
            problems.append(str(error))
    return Ledger(entries, [*dict.fromkeys(problems)], mark)


def check_complete(vault: Vault, found: Ledger) -> None:
    """Raise BackupError with all problems if there are any."""
    if found.problems:
        raise BackupError("\n".join([
            f"{vault.place} is not complete:", *(f"  {each}" for each in found.problems),
            "Nothing was done. Bring back what is missing. If it is lost, `--up-to-hole` does again what is there.",
        ]))  # fmt: skip
