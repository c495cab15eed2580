"""What the files of a place are called.

Segments of PostgreSQL's log count up: of one that is still being written each version has a number of its own, since a file
that a mark lists never changes.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ludarium.ops.backups.vault import SEALED

FORMAT = 1
"""Of a place: of its mark and its base backups."""
BASES, ARCHIVE, ABOUT = "bases", "base.tar.gz", "about.json"
LOG, PARTIAL, HISTORY = "log", ".partial", ".history"
PIECE = re.compile(r"log/(?P<segment>[0-9A-F]{24})((\.(?P<version>[0-9]+))?(?P<partial>\.partial))?\.age")
WHOLE = 1 << 62
"""As a version: of a segment that is complete."""
PER_NAME = 256
"""Segments of 16 MiB with the same middle part of their names."""


class Piece(NamedTuple):
    """A file with (the beginning of) a segment."""

    segment: str
    version: int

    @property
    def timeline(self) -> str:
        return self.segment[:8]

    @property
    def nth(self) -> int:
        """Where in the log it stands, on whichever timeline."""
        return nth_of(self.segment)

    @property
    def name(self) -> str:
        """Of the file, without its ending as a sealed one."""
        if self.version == WHOLE:
            return f"{LOG}/{self.segment}"
        return f"{LOG}/{self.segment}.{self.version:08d}{PARTIAL}" if self.version else f"{LOG}/{self.segment}{PARTIAL}"

    @property
    def path(self) -> str:
        return self.name + SEALED


def nth_of(segment: str) -> int:
    return int(segment[8:16], 16) * PER_NAME + int(segment[16:24], 16)


def segment_of(timeline: str, nth: int) -> str:
    return f"{timeline}{nth // PER_NAME:08X}{nth % PER_NAME:08X}"


def pieces(paths: Iterable[str]) -> Iterator[Piece]:
    """Those that are among these paths of files."""
    for path in paths:
        if found := PIECE.fullmatch(path):
            yield Piece(found["segment"], int(found["version"] or 0) if found["partial"] else WHOLE)


def newest(found: Iterable[Piece]) -> dict[str, Piece]:
    """Of each segment the version that has most of it."""
    best: dict[str, Piece] = {}
    for piece in found:
        best[piece.segment] = max(piece, best.get(piece.segment, piece))
    return best


def superseded(path: str, paths: Iterable[str]) -> bool:
    """Whether a file has a part of a segment of which another file has more."""
    of = next(pieces([path]), None)
    return of is not None and newest([of, *pieces(paths)])[of.segment] != of
