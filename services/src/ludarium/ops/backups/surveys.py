"""Surveys a place before a restore, and lists what is missing.

No secret key is needed.
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from ludarium.embedded.binaries import MAJOR
from ludarium.ops.backups import marks
from ludarium.ops.backups.base import Base, read_base
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.ledger import FOLDER as LEDGER
from ludarium.ops.backups.marks import InvalidMark, Mark
from ludarium.ops.backups.places import (
    ABOUT,
    BASES,
    HISTORY,
    LOG,
    SegmentFile,
    is_superseded,
    newest_versions,
    segment_files,
    segment_name,
    segment_number,
)
from ludarium.ops.backups.vault import SEALED, File, Vault


class Survey(NamedTuple):
    """The files of a place that a restore needs.

    Attributes:
        log: the newest file of each segment, from the base backup on.
        histories: history files of timelines.
        problems: sentences that describe what is missing.
        mark: the mark, None if there is no valid one.
    """

    base: Base
    log: list[SegmentFile]
    histories: list[str]
    ledger: list[str]
    problems: list[str]
    mark: Mark | None


def survey(vault: Vault, to: datetime | None) -> Survey:
    """Survey a place by the names and sizes of its files.

    Afterwards `vault` knows the expected files. Raises BackupError.
    """
    here, problems = vault.sizes(), list[str]()
    mark = load_mark(vault, problems)
    base = choose_base(vault, to, here)
    if mark is not None and (mark.system, mark.reach.log or base.log) != (base.system, base.log):
        problems.append(f"{marks.MARK} is of another database than {base.folder}.")
    log = log_from(here, base.segment)
    needed = [file for file in vault.expected.values() if is_needed(file.path, base)]
    problems += [f"{name} is {what}." for name, what in file_faults(needed, here)]
    problems += [f"{LOG}/{segment} is missing." for segment in (missing_segments(log, base.segment) if to is None else ())]
    names = [path.removesuffix(SEALED) for path in here]
    return Survey(
        base, log, [name for name in names if name.startswith(f"{LOG}/") and name.endswith(HISTORY)],
        sorted(name for name in names if name.startswith(f"{LEDGER}/")), [*dict.fromkeys(problems)], mark,
    )  # fmt: skip


def load_mark(vault: Vault, problems: list[str]) -> Mark | None:
    """Read the mark, and set the files that `vault` expects.

    If there is no valid mark, add a problem and return None.
    """
    try:
        mark = marks.read_mark(vault)
        vault.expected = marks.listed_files(vault, mark)
    except (InvalidMark, Damaged) as error:
        problems.append(str(error))
        return None
    return mark


# --- bases ----------------------------------------------------------------------------------------------------------------
def choose_base(vault: Vault, to: datetime | None, here: Mapping[str, int]) -> Base:
    """Return the newest complete base backup that ended by `to`. Raises BackupError."""
    found = complete_bases(vault, here)
    if not found:
        raise BackupError(f"{vault.place} has no backup that is whole.")
    fitting = [base for base in found if to is None or base.ended <= to]
    if not fitting:
        raise BackupError(f"The first backup ended at {found[0].ended:%Y-%m-%dT%H:%M:%SZ}: name a moment after it.")
    if fitting[-1].major != MAJOR:
        raise BackupError(
            f"That backup is of PostgreSQL {fitting[-1].major}, this is {MAJOR}: restore it with the release that made it, "
            "then move its data with pg_dump."
        )
    return fitting[-1]


def complete_bases(vault: Vault, here: Mapping[str, int]) -> list[Base]:
    """Return the complete base backups, oldest first.

    If one is damaged, an older one with the log after it can replace it.
    """
    found = []
    for path in sorted(path for path in here if path.startswith(f"{BASES}/") and path.endswith(f"/{ABOUT}")):
        try:
            base = read_base(vault, path)
        except Damaged:
            continue
        archive = base.archive + SEALED
        size = here.get(archive)
        if size is not None and vault.expected.get(archive, File(archive, size, "")).size == size:
            found.append(base)
    return found


# --- files ----------------------------------------------------------------------------------------------------------------
def is_needed(path: str, base: Base) -> bool:
    """Return whether a restore from this base backup reads the file."""
    if path.startswith(f"{BASES}/"):
        return path.startswith(f"{base.folder}/")
    return all(may_follow(piece, base.segment) for piece in segment_files([path]))


def file_faults(files: Iterable[File], here: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield files that are missing or have the wrong size, each with a description.

    A missing part of a segment is not a fault if another file has more of that segment.
    """
    for file in files:
        if file.path not in here:
            if not is_superseded(file.path, here):
                yield file.path, "missing"
        elif here[file.path] != file.size:
            yield file.path, f"not whole: it has {here[file.path]} of {file.size} bytes"


# --- the log --------------------------------------------------------------------------------------------------------------
def log_from(here: Iterable[str], segment: str) -> list[SegmentFile]:
    """Return the newest file of each segment from this segment on."""
    return sorted(newest_versions(piece for piece in segment_files(here) if may_follow(piece, segment)).values())


def may_follow(piece: SegmentFile, segment: str) -> bool:
    """Return whether the file may belong to the log after that segment.

    It must be on the segment's timeline or on a later one.
    """
    return piece.nth >= segment_number(segment) and piece.timeline >= segment[:8]


def missing_segments(log: Iterable[SegmentFile], first: str) -> Iterator[str]:
    """Yield the segments between `first` and the end of the log that no file has.

    The log ends with the newest timeline. A timeline begins with the segment in which it leaves the timeline before; up to
    there, the files of the earlier timeline count. Without any log, nothing is yielded.
    """
    found = defaultdict[str, set[int]](set)
    for piece in log:
        found[piece.timeline].add(piece.nth)
    if not found:
        return
    newest_line = max(found)
    begins = min(found[newest_line]) if newest_line > first[:8] else segment_number(first)
    before = set[int]().union(*(found[line] for line in found if line < newest_line))
    for nth in range(segment_number(first), max(found[newest_line]) + 1):
        if nth not in (found[newest_line] if nth >= begins else before):
            yield segment_name(newest_line if nth >= begins else first[:8], nth)
