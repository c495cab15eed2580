"""Appends that wait for their turn: one line a stream, and the streams take turns."""
from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from ludarium_eventstore.model import Append, StoreUnavailable, Verdict

MOST_WAITING = 10_000                           # appends; beyond it callers are told to come back
MOST_OF_A_STREAM = 100                          # so that one stream cannot take up all the room


@dataclass(slots=True)
class Waiting:
    """doubtful: it was sent and no answer came, so it may stand in the log already."""

    append: Append
    verdict: asyncio.Future[Verdict]
    doubtful: bool = False


class Queue:
    """Bounded. A batch has the first of each line, so a busy stream delays nobody but itself."""

    def __init__(self) -> None:
        self.lines: OrderedDict[UUID, deque[Waiting]] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        return self.size

    def join(self, waiting: Waiting) -> None:
        """Raises StoreUnavailable if it would have to wait too long."""
        line = self.lines.get(waiting.append.stream, ())
        if self.size >= MOST_WAITING or len(line) >= MOST_OF_A_STREAM:
            raise StoreUnavailable("too many appends are waiting")
        self.lines.setdefault(waiting.append.stream, deque()).append(waiting)
        self.size += 1

    def batch(self, most: int) -> list[Waiting]:
        """One of a stream, of at most so many streams; those whose callers have given up are left out."""
        taken = [self.turn(stream) for stream in [*islice(self.lines, most)]]
        self.size -= len(taken)
        return [waiting for waiting in taken if not waiting.verdict.done()]

    def turn(self, stream: UUID) -> Waiting:
        line = self.lines.pop(stream)
        first = line.popleft()
        if line:
            self.lines[stream] = line           # behind all others
        return first

    def put_back(self, batch: Sequence[Waiting]) -> None:
        """Where they were: before all others, each at the head of its line."""
        for waiting in reversed(batch):
            stream = waiting.append.stream
            self.lines.setdefault(stream, deque()).appendleft(waiting)
            self.lines.move_to_end(stream, last=False)
        self.size += len(batch)
