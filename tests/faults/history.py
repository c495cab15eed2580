"""What callers were told, held against the log: the checker of all tests that break something under load.

Each acknowledged event stands in the log once, where it was said to be; nothing that was refused stands there; a stream has no
gap, and no two callers were told the same version of it; whoever asked after another had been answered comes after it. An
outcome that nobody knows is allowed either way, but only once, and nothing stands in the log that nobody sent.
"""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple


class Attempt(NamedTuple):
    """A caller's append, as the caller knows it.

    content: of its rows, or None if only an answer would have told. version: of the first, if it was acknowledged.
    known: whether there was an answer. began, ended: when, on one clock.
    """

    stream: Hashable
    content: tuple[Hashable, ...] | None
    began: float
    ended: float
    version: int | None = None
    known: bool = True


class Logged(NamedTuple):
    """A row of the log; place: where it stands among all rows, or in its stream if that is all that is known."""

    version: int
    content: Hashable
    place: int


Log = Mapping[Any, Sequence[Logged]]


def faults(attempts: Sequence[Attempt], log: Log, *, setup: int = 0) -> list[str]:
    """Whatever is wrong. setup: rows at the head of each stream that are nobody's attempt."""
    acknowledged = [attempt for attempt in attempts if attempt.version is not None]
    return [
        *gaps(log),
        *told_twice(acknowledged),
        *missing(acknowledged, log),
        *surplus(attempts, log, setup),
        *out_of_order(acknowledged, log),
    ]


def gaps(log: Log) -> Iterator[str]:
    for stream, rows in log.items():
        if [row.version for row in rows] != [*range(len(rows))]:
            yield f"{stream}: versions {[row.version for row in rows]} have a gap"


def told_twice(acknowledged: Iterable[Attempt]) -> Iterator[str]:
    told = Counter((attempt.stream, version) for attempt in acknowledged for version, _ in rows_of(attempt))
    for (stream, version), times in told.items():
        if times > 1:
            yield f"{stream}: version {version} was acknowledged {times} times"


def missing(acknowledged: Iterable[Attempt], log: Log) -> Iterator[str]:
    for attempt in acknowledged:
        rows = log.get(attempt.stream, ())
        for version, content in rows_of(attempt):
            if version >= len(rows) or rows[version].content != content:
                yield f"{attempt.stream}: version {version} was acknowledged and is not in the log"


def surplus(attempts: Sequence[Attempt], log: Log, setup: int) -> Iterator[str]:
    """Rows that nobody sent, or somebody was refused, or that stand there twice."""
    allowed: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    unknown: Counter[Hashable] = Counter()
    for attempt in attempts:
        if attempt.content is None:
            unknown[attempt.stream] += not attempt.known
        elif attempt.version is not None or not attempt.known:
            allowed[attempt.stream].update(attempt.content)
    for stream, rows in log.items():
        found = Counter(row.content for row in rows[setup:])
        unsent = found - allowed[stream]
        if unsent.total() > unknown[stream]:
            yield f"{stream}: {unsent.total()} rows that nobody sent, {unknown[stream]} outcomes unknown: {[*unsent][:3]}"


def out_of_order(acknowledged: Iterable[Attempt], log: Log) -> Iterator[str]:
    """From the last row back: none may have been asked for after one behind it had been answered."""
    at = {(a.stream, version): a for a in acknowledged for version, _ in rows_of(a)}
    rows = sorted((row.place, stream, row.version) for stream, of_one in log.items() for row in of_one)
    answered = inf
    for place, stream, version in reversed(rows):
        if (attempt := at.get((stream, version))) is None:
            continue
        if attempt.began > answered:
            yield f"{stream}: version {version} (place {place}) was asked for after a later row had been acknowledged"
        answered = min(answered, attempt.ended)


def rows_of(attempt: Attempt) -> Iterator[tuple[int, Hashable]]:
    """Of an acknowledged one: versions and contents."""
    assert attempt.version is not None and attempt.content is not None
    return enumerate(attempt.content, attempt.version)
