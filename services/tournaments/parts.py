"""What a tournament's state is made of: entrants, boards, rounds."""
from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec

from services.tournaments.core.crosstable import Column
from services.tournaments.core.model import Round
from services.tournaments.rows import (
    Drafted,
    PenaltySet,
    Published,
    Replayed,
    Result,
    Ruled,
    Substituted,
)
from services.tournaments.time_rows import Paused

Edits = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]]
"""Tables that were set by hand, and swaps."""


class Entrant(msgspec.Struct):
    """left: the stage and round from which on it takes no part; out: single ones that it sits out.

    seq: the version at which the desk last changed it.
    listed: whether it is in the tournament at all; who withdraws before it begins is not.
    nonce: the newest, given before the round of `given_for`. penalties: by stage, of which no other one counts.
    former: who was this entry before others went on for them; replaced: the last time.
    """

    number: int
    player: str
    rating: int
    joined: int
    points: int
    seq: int
    checked_in: bool = False
    left: tuple[int, int] | None = None
    out: frozenset[tuple[int, int]] = frozenset()
    listed: bool = True
    nonce: bytes = b""
    given_for: tuple[int, int] | None = None
    penalties: dict[int, PenaltySet] = {}
    former: tuple[str, ...] = ()
    replaced: Substituted | None = None

    def penalty(self, stage: int) -> int:
        """In units."""
        return self.penalties[stage].units if stage in self.penalties else 0


class Board(msgspec.Struct):
    """seats: the entries by seat, none where the board is left over. seq: the version at which the desk last changed it.

    starts_at, ended_at: microseconds since 1970. disputed: by which entry, while nobody has ruled on it; said: the id of its
    words. deal: the BLAKE2b-256 of the seed that its table draws from. earlier: its tables before it was `replayed`.
    looks: the officials who have seen all hands there, and at which version. settled_at: of the result, or of what was ruled
    after it. ends_at: when its time is up, 0 if it has no end.
    paused: by the desk, this board alone; held: since when nothing goes on there, 0 while it does.
    """

    number: int
    table: UUID
    seats: tuple[int, ...]
    seq: int
    deal: bytes
    starts_at: int
    earlier: tuple[UUID, ...] = ()
    replayed: Replayed | None = None
    looks: tuple[tuple[str, int], ...] = ()
    begun: bool = False
    result: Result | None = None
    ended_at: int = 0
    ruling: Ruled | None = None
    disputed: int | None = None
    said: bytes = b""
    settled_at: int = 0
    ends_at: int = 0
    paused: Paused | None = None
    held: int = 0
    featured: bool = False

    @property
    def is_settled(self) -> bool:
        return not self.seats or (self.result is not None and self.disputed is None)

    @property
    def places(self) -> tuple[int, ...]:
        """As they count, by seat; none where there is no result."""
        if self.ruling is not None and self.ruling.verdict != "upheld":
            return tuple(self.ruling.places)
        return tuple(self.result.places) if self.result else ()


class RoundState(msgspec.Struct):
    """seq: the version at which the desk, or who withdrew, last changed it.

    edits: what was set by hand before each change. forbidden: pairs. nonce: what its entries have mixed in, empty if none has.
    record, column: of a closed round, when they were first asked for; column: of the crosstable. closed_at: microseconds since
    1970.
    """

    stage: int
    number: int
    drafted: Drafted
    seq: int
    forbidden: tuple[tuple[int, int], ...] = ()
    edits: tuple[Edits, ...] = ()
    nonce: bytes = b""
    locked: tuple[tuple[int, ...], ...] = ()
    swaps: tuple[tuple[int, int], ...] = ()
    published: Published | None = None
    byes: tuple[int, ...] = ()
    boards: dict[int, Board] = {}
    closed: bool = False
    closed_at: int = 0
    recuts: int = 0
    record: Round | None = None
    column: Column = []

    @property
    def open_boards(self) -> Iterator[Board]:
        """Those at which something is to be done or awaited."""
        return (board for board in self.boards.values() if board.seats and board.result is None)

    @property
    def left_over(self) -> Iterator[Board]:
        return (board for board in self.boards.values() if not board.seats)
