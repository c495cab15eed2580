"""A tournament's pauses, autopilot and delay, computed from its events."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ludarium.tournaments.state_parts import Board, RoundState
from ludarium.tournaments.time_events import ALL, AutopilotSet, DelaySet, Featured, Paused, Resumed, TimeAdded, TimeEvent

SECOND = 1_000_000


class Times(msgspec.Struct):
    """Time-related settings, each with the version of its last change.

    All times are in microseconds since 1970.

    Attributes:
        paused: the pause of the whole tournament.
        stopped_at: start of that pause, 0 if there is none.
        autopilot_settings: the settings made last, even if the autopilot is off.
        delay: the spectators' delay as (events, seconds); if both are 0, the plan's delay applies.
    """

    paused: Paused | None = None
    stopped_at: int = 0
    paused_seq: int = 0
    autopilot_settings: AutopilotSet | None = None
    autopilot_set_at: int = 0
    autopilot_seq: int = 0
    delay: tuple[int, int] = (0, 0)
    delay_seq: int = 0

    @property
    def autopilot(self) -> AutopilotSet | None:
        """The autopilot's settings, None while it is off."""
        return self.autopilot_settings if self.autopilot_settings and self.autopilot_settings.on else None

    def apply(self, event: TimeEvent, round: RoundState | None, grace: int, version: int, at: int) -> None:
        """Apply an event.

        Args:
            round: the current round.
            grace: microseconds after a board's start in which its players may still arrive.
        """
        match event:
            case AutopilotSet():
                self.autopilot_settings, self.autopilot_set_at, self.autopilot_seq = event, at, version
            case DelaySet():
                self.delay, self.delay_seq = (event.events, event.seconds), version
            case Featured() if round:
                board = round.boards[event.board]
                board.featured, board.seq = event.on, version
            case TimeAdded() if round:
                add_time(round.boards[event.board], event, version)
            case Paused():
                self.pause(event, running(round), version, at)
            case Resumed():
                self.resume(event, running(round), grace, version, at)

    def pause(self, event: Paused, boards: Iterable[Board], version: int, at: int) -> None:
        if event.board == ALL:
            self.paused, self.stopped_at, self.paused_seq = event, at, version
        for board in boards:
            if event.board in (ALL, board.number):
                board.stopped_at = board.stopped_at or at
            if event.board == board.number:
                board.paused, board.seq = event, version

    def resume(self, event: Resumed, boards: Iterable[Board], grace: int, version: int, at: int) -> None:
        if event.board == ALL:
            self.paused, self.stopped_at, self.paused_seq = None, 0, version
        for board in boards:
            if event.board == board.number:
                board.paused, board.seq = None, version
            if event.board in (ALL, board.number) and not board.paused and not self.paused:
                shift_times(board, grace, at)


def running(round: RoundState | None) -> Iterator[Board]:
    return iter(()) if round is None else (board for board in round.boards.values() if board.result is None)


def add_time(board: Board, event: TimeAdded, version: int) -> None:
    board.time_added, board.seq = (*board.time_added, event), version
    if board.ends_at:
        board.ends_at += event.seconds * SECOND


def shift_times(board: Board, grace: int, at: int) -> None:
    """Postpone the board's future times by the length of its pause."""
    if not board.stopped_at:
        return
    if board.stopped_at < board.starts_at + grace:
        board.starts_at += at - board.stopped_at
    if board.ends_at:
        board.ends_at += at - board.stopped_at
    board.stopped_at = 0
