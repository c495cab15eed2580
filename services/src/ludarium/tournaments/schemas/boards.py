"""Schemas of a round's boards and their games in the API."""
from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.tournaments.events import End, Verdict
from ludarium.tournaments.schemas.entries import TextsById, reason_of
from ludarium.tournaments.schemas.times import PauseBody, end_of, pause_body, time_of
from ludarium.tournaments.state_parts import Board

BoardStatus = Literal["waiting", "playing", "over", "left-over"]


class RulingBody(msgspec.Struct, frozen=True):
    by: str
    verdict: Verdict
    places: list[int]
    reason: str


class TimeAddedBody(msgspec.Struct, frozen=True):
    """Time that an official has given to an entry at this table, above 0 seconds."""

    by: str
    entry: int
    seconds: int
    reason: str


class LookBody(msgspec.Struct, frozen=True):
    """An official's look at all hands.

    `seq` is the number of the event that records it.
    """

    by: str
    seq: int


class GameBody(msgspec.Struct, frozen=True):
    """A finished game of a match.

    `seats`, `places`, `points` and `absent` are by the seats of its table.
    """

    table: str
    seats: list[int]
    places: list[int]
    points: list[int]
    absent: list[int]
    reason: End


class BoardBody(msgspec.Struct, frozen=True):
    """A board of a round.

    - `table` is null until the table can be used, a few moments after the round is published.
    - `seats` lists the entries by seat. So do `places`, `points` and `absent`, once the board is over.
    - `deal` is the BLAKE2b-256 hash of the seed of its deal.
    - `disputed` is the entry that disputes the result, until there is a ruling. `dispute` is its reason, for officials
      only.
    - `looks` lists the officials who have seen all hands.
    - `earlier` lists its tables before it was played again, and `replayed` is the reason for that.
    - `ends_at` is its time limit, without the time of a current pause.
    - `paused` is a pause of this board alone. `added` lists the time given by officials.

    In a match of several games, `table`, `status`, `reason` and `deal` are those of the newest game, `points` are the
    sum, and `places` are those of the match. `games` lists all finished games, and `score` has the units by seat, 120
    for a won game. Both are empty for a single game.
    """

    board: int
    table: str | None
    status: BoardStatus
    seats: list[int]
    places: list[int]
    points: list[int]
    absent: list[int]
    reason: End | None
    ruling: RulingBody | None
    disputed: int | None
    dispute: str | None
    deal: str
    seq: int
    looks: list[LookBody]
    earlier: list[str]
    replayed: str | None
    starts_at: str | None
    ends_at: str | None
    paused: PauseBody | None
    featured: bool
    games: list[GameBody]
    score: list[int]
    added: list[TimeAddedBody]


def board_body(board: Board, reasons: TextsById, *, official: bool, unopened: Collection[UUID] = ()) -> BoardBody:
    told, ruling, table = board.result, board.ruling, None if board.table in unopened else ids.encode(board.table)
    points = [*map(sum, zip(*(game.points for game in board.counted_games if game.points), strict=True))]
    said = RulingBody(ruling.by, ruling.verdict, [*ruling.places], reason_of(reasons, ruling.text)) if ruling else None
    dispute = reason_of(reasons, board.dispute_text) if official and board.disputed is not None else None
    return BoardBody(
        board.number, table, board_status(board), [*board.seats], [*board.places],
        points if told else [], [*board.absent] if told else [], told.reason if told else None, said, board.disputed,
        dispute, board.deal.hex(), board.seq, [LookBody(*look) for look in board.hands_seen],
        [*map(ids.encode, board.earlier_tables)],
        reason_of(reasons, board.replayed.text) if board.replayed else None, time_of(board.starts_at), end_of(board),
        pause_body(board.paused, board.stopped_at, reasons), board.featured,
        *match_of(board),
        [TimeAddedBody(row.by, row.entry, row.seconds, reason_of(reasons, row.text)) for row in board.time_added],
    )  # fmt: skip


def board_status(board: Board) -> BoardStatus:
    if not board.seats:
        return "left-over"
    return "over" if board.result else "playing" if board.begun else "waiting"


def match_of(board: Board) -> tuple[list[GameBody], list[int]]:
    if board.best_of == 1:
        return [], []
    games = [GameBody(
        ids.encode(each.table), [*each.table_seats], [*each.result.places], [*each.result.points], [*each.result.absent],
        each.result.reason,
    ) for each in board.by_game if each.result]  # fmt: skip
    return games, [*board.score]


def texts_of(boards: Sequence[Board]) -> list[UUID]:
    """Return the ids of all reasons and texts at these boards."""
    said = [board.ruling.text for board in boards if board.ruling]
    said += [board.dispute_text for board in boards if board.dispute_text]
    said += [board.paused.text for board in boards if board.paused]
    said += [row.text for board in boards for row in board.time_added]
    return [UUID(bytes=each) for each in (*said, *(board.replayed.text for board in boards if board.replayed))]
