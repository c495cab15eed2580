"""What a place has and what it lacks, known before PostgreSQL starts; without the secret key."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from ludarium.embedded.binaries import MAJOR
from ludarium.ops.backups import marks
from ludarium.ops.backups.base import Base, about
from ludarium.ops.backups.errors import BackupError, Damaged
from ludarium.ops.backups.ledger import FOLDER as LEDGER
from ludarium.ops.backups.marks import Mark, NoMark
from ludarium.ops.backups.places import ABOUT, BASES, HISTORY, LOG, Piece, newest, nth_of, pieces, segment_of, superseded
from ludarium.ops.backups.vault import SEALED, File, Vault


class Survey(NamedTuple):
    """What a restore begins with.

    log: of each segment from the base's first on, the file that has most of it. histories: of timelines, their files. lacks:
    what is missing, in sentences. mark: None if there is none that can be believed.
    """

    base: Base
    log: list[Piece]
    histories: list[str]
    ledger: list[str]
    lacks: list[str]
    mark: Mark | None


def survey(vault: Vault, to: datetime | None) -> Survey:
    """Look at the names and sizes in a place; `vault` then knows what each file has to be. Raises BackupError."""
    here, lacks = vault.sizes(), list[str]()
    mark = expected(vault, lacks)
    base = base_for(vault, to, here)
    if mark is not None and (mark.system, mark.reach.log or base.log) != (base.system, base.log):
        lacks.append(f"{marks.MARK} is of another database than {base.folder}.")
    log = from_base(here, base.segment)
    needed = [file for file in vault.expected.values() if is_needed(file.path, base)]
    lacks += [f"{name} is {what}." for name, what in faults(needed, here)]
    lacks += [f"{LOG}/{segment} is missing." for segment in (holes(log, base.segment) if to is None else ())]
    names = [path.removesuffix(SEALED) for path in here]
    return Survey(
        base, log, [name for name in names if name.startswith(f"{LOG}/") and name.endswith(HISTORY)],
        sorted(name for name in names if name.startswith(f"{LEDGER}/")), [*dict.fromkeys(lacks)], mark,
    )  # fmt: skip


def expected(vault: Vault, lacks: list[str]) -> Mark | None:
    """Read the mark; from now on `vault` compares what it reads with it."""
    try:
        mark = marks.read(vault)
        vault.expected = marks.listed(vault, mark)
    except (NoMark, Damaged) as error:
        lacks.append(str(error))
        return None
    return mark


# --- bases ----------------------------------------------------------------------------------------------------------------
def base_for(vault: Vault, to: datetime | None, here: Mapping[str, int]) -> Base:
    """The newest that had ended by then and is whole, as far as names and sizes tell. Raises BackupError."""
    found = whole_bases(vault, here)
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


def whole_bases(vault: Vault, here: Mapping[str, int]) -> list[Base]:
    """The oldest first. One that was damaged is none: an older one with the log behind it leads as far."""
    found = []
    for path in sorted(path for path in here if path.startswith(f"{BASES}/") and path.endswith(f"/{ABOUT}")):
        try:
            base = about(vault, path)
        except Damaged:
            continue
        archive = base.archive + SEALED
        size = here.get(archive)
        if size is not None and vault.expected.get(archive, File(archive, size, "")).size == size:
            found.append(base)
    return found


# --- files ----------------------------------------------------------------------------------------------------------------
def is_needed(path: str, base: Base) -> bool:
    """Whether a restore from this base reads the file."""
    if path.startswith(f"{BASES}/"):
        return path.startswith(f"{base.folder}/")
    return all(follows(piece, base.segment) for piece in pieces([path]))


def faults(files: Iterable[File], here: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Files that are missing or have another size; a part of a segment may have given way to more of it."""
    for file in files:
        if file.path not in here:
            if not superseded(file.path, here):
                yield file.path, "missing"
        elif here[file.path] != file.size:
            yield file.path, f"not whole: it has {here[file.path]} of {file.size} bytes"


# --- the log --------------------------------------------------------------------------------------------------------------
def from_base(here: Iterable[str], segment: str) -> list[Piece]:
    """Of each segment from there on, the file that has most of it."""
    return sorted(newest(piece for piece in pieces(here) if follows(piece, segment)).values())


def follows(piece: Piece, segment: str) -> bool:
    """Whether it may be of the log after that segment, on its timeline or on one that left it later."""
    return piece.nth >= nth_of(segment) and piece.timeline >= segment[:8]


def holes(log: Iterable[Piece], first: str) -> Iterator[str]:
    """The segments between `first` and the end of the newest timeline that no file has; none if there is no log at all.

    A timeline begins with the segment in which it leaves the one before: up to there, that one's count.
    """
    found = defaultdict[str, set[int]](set)
    for piece in log:
        found[piece.timeline].add(piece.nth)
    if not found:
        return
    newest_line = max(found)
    begins = min(found[newest_line]) if newest_line > first[:8] else nth_of(first)
    before = set[int]().union(*(found[line] for line in found if line < newest_line))
    for nth in range(nth_of(first), max(found[newest_line]) + 1):
        if nth not in (found[newest_line] if nth >= begins else before):
            yield segment_of(newest_line if nth >= begins else first[:8], nth)
