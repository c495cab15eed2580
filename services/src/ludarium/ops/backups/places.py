"""Names of the files in a place.

Segments of PostgreSQL's log are numbered. Each upload of an unfinished segment gets a new version number, because a file
listed by a mark never changes.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludarium.ops.backups.vault import SEALED

FORMAT = 1
"""The format of a place, given in its mark and its base backups."""
BASES, ARCHIVE, ABOUT = "bases", "base.tar.gz", "about.json"
LOG, PARTIAL, HISTORY = "log", ".partial", ".history"
SEGMENT_FILE = re.compile(r"log/(?P<segment>[0-9A-F]{24})((\.(?P<version>[0-9]+))?(?P<partial>\.partial))?\.age")
COMPLETE = 1 << 62
"""The version of a complete segment."""
SEGMENTS_PER_NAME = 256
"""Segments of 16 MiB with the same middle part of their names."""


class SegmentFile(NamedTuple):
    """A file with a log segment, or with the beginning of one."""

    segment: str
    version: int

    @property
    def timeline(self) -> str:
        return self.segment[:8]

    @property
    def nth(self) -> int:
        """The number of the segment in the log, on any timeline."""
        return segment_number(self.segment)

    @property
    def name(self) -> str:
        """The name of the file without the suffix of encrypted files."""
        if self.version == COMPLETE:
            return f"{LOG}/{self.segment}"
        return f"{LOG}/{self.segment}.{self.version:08d}{PARTIAL}" if self.version else f"{LOG}/{self.segment}{PARTIAL}"

    @property
    def path(self) -> str:
        return self.name + SEALED


def segment_number(segment: str) -> int:
    return int(segment[8:16], 16) * SEGMENTS_PER_NAME + int(segment[16:24], 16)


def segment_name(timeline: str, nth: int) -> str:
    return f"{timeline}{nth // SEGMENTS_PER_NAME:08X}{nth % SEGMENTS_PER_NAME:08X}"


def segment_files(paths: Iterable[str]) -> Iterator[SegmentFile]:
    """Yield the segment files among these paths."""
    for path in paths:
        if found := SEGMENT_FILE.fullmatch(path):
            yield SegmentFile(found["segment"], int(found["version"] or 0) if found["partial"] else COMPLETE)


def newest_versions(found: Iterable[SegmentFile]) -> dict[str, SegmentFile]:
    """Return the newest version of each segment."""
    best: dict[str, SegmentFile] = {}
    for piece in found:
        best[piece.segment] = max(piece, best.get(piece.segment, piece))
    return best


def is_superseded(path: str, paths: Iterable[str]) -> bool:
    """Return whether another file has more of the same segment."""
    of = next(segment_files([path]), None)
    return of is not None and newest_versions([of, *segment_files(paths)])[of.segment] != of
