"""Compare callers' results with the log, for all tests of faults under load.

Each acknowledged event must be in the log once, at the acknowledged version, and no refused event may be in the log. No
stream has a gap, and no two callers were given the same version. A call made after the response to another one comes later
in the log. A call whose outcome is unknown may be in the log at most once. Every event in the log has a sender.
"""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple


class Attempt(NamedTuple):
    """An append as its caller knows it.

    Attributes:
        content: The contents of the events, or None if only a response would have shown them.
        version: The version of the first event, if the append was acknowledged.
        known: Whether there was a response.
        began: When the append was sent.
        ended: When the response arrived, on the same clock.
    """

    stream: Hashable
    content: tuple[Hashable, ...] | None
    began: float
    ended: float
    version: int | None = None
    known: bool = True


class Logged(NamedTuple):
    """An event of the log.

    `place` is the position in the whole log, or else in the stream.
    """

    version: int
    content: Hashable
    place: int


Log = Mapping[Any, Sequence[Logged]]


def faults(attempts: Sequence[Attempt], log: Log, *, setup: int = 0) -> list[str]:
    """Return all faults of a history.

    Args:
        setup: The number of events at the start of each stream that were made by no attempt.
    """
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
    """Yield events without a sender, refused events and duplicates."""
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
    """Yield events whose command was sent after a later event had been acknowledged."""
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
    """Return the versions and contents of an acknowledged attempt."""
    assert attempt.version is not None and attempt.content is not None
    return enumerate(attempt.content, attempt.version)
