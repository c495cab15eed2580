"""What of a tournament is paused, goes on by itself, and is watched how late: folded from its rows, never decided."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.time_events import ALL, AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded, TimeRow

SECOND = 1_000_000


class Times(msgspec.Struct):
    """paused: all of the tournament, and held: since when, 0 while it goes on. piloted: the autopilot as it was set last.

    delay: of spectators, events and seconds; nothing: as the plan says. Each with the version at which it changed last; times
    are microseconds since 1970.
    """

    paused: Paused | None = None
    held: int = 0
    paused_seq: int = 0
    piloted: AutopilotSet | None = None
    piloted_at: int = 0
    piloted_seq: int = 0
    delay: tuple[int, int] = (0, 0)
    delay_seq: int = 0

    @property
    def autopilot(self) -> AutopilotSet | None:
        """While it is on."""
        return self.piloted if self.piloted and self.piloted.on else None

    def take_in(self, row: TimeRow, round: RoundState | None, grace: int, version: int, at: int) -> None:
        """round: that is played; grace: microseconds after the start of a board in which its players may still come."""
        match row:
            case AutopilotSet():
                self.piloted, self.piloted_at, self.piloted_seq = row, at, version
            case DelaySet():
                self.delay, self.delay_seq = (row.events, row.seconds), version
            case Featured() if round:
                board = round.boards[row.board]
                board.featured, board.seq = row.on, version
            case TimeAdded() if round:
                add_time(round.boards[row.board], row, version)
            case Paused():
                self.pause(row, running(round), version, at)
            case Resumed():
                self.resume(row, running(round), grace, version, at)

    def pause(self, row: Paused, boards: Iterable[Board], version: int, at: int) -> None:
        if row.board == ALL:
            self.paused, self.held, self.paused_seq = row, at, version
        for board in boards:
            if row.board in (ALL, board.number):
                board.held = board.held or at
            if row.board == board.number:
                board.paused, board.seq = row, version

    def resume(self, row: Resumed, boards: Iterable[Board], grace: int, version: int, at: int) -> None:
        if row.board == ALL:
            self.paused, self.held, self.paused_seq = None, 0, version
        for board in boards:
            if row.board == board.number:
                board.paused, board.seq = None, version
            if row.board in (ALL, board.number) and not board.paused and not self.paused:
                release(board, grace, at)


def running(round: RoundState | None) -> Iterator[Board]:
    return iter(()) if round is None else (board for board in round.boards.values() if board.result is None)


def add_time(board: Board, row: TimeAdded, version: int) -> None:
    board.added, board.seq = (*board.added, row), version
    if board.ends_at:
        board.ends_at += row.seconds * SECOND


def release(board: Board, grace: int, at: int) -> None:
    """What was still to come at the board when it was paused comes so much later."""
    if not board.held:
        return
    if board.held < board.starts_at + grace:
        board.starts_at += at - board.held
    if board.ends_at:
        board.ends_at += at - board.held
    board.held = 0
