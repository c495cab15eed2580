"""Games with a clock and policies in which players leave, return and are replaced.

The games need no store.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from ludarium.clocks.settings import Clock, LiveClock, TurnBasedClock
from ludarium.tables.model import consent, endings, seating, timeouts
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.lifecycle_events import Question, policies_event
from ludarium.tables.model.timing import Arrival, EventTimes, Timing, ms
from ludarium.tables.schemas import AbsenceBody, PoliciesBody, policies_of
from ludarium_eventstore import NOTHING_DUE
from tests.support.pure_games import START, Game, player

SEATS = 3
LIVE, DAYS = LiveClock(bank=60, increment=5, delay=2, cap=50), TurnBasedClock(days=2, bank=3, window_hours=6)


class Lived(Game):
    """A game whose time `now` advances with each append, or to the next due time."""

    def __init__(self, name: str, ruleset: str, clock: Clock, absence: AbsenceBody) -> None:
        self.now, self.name = START, name
        policies = PoliciesBody(undo="consent", absence=absence, clock=clock, substitutes=True)
        super().__init__(name, ruleset, SEATS, None, [policies_event(policies_of(policies))])
        self.start()

    @property
    def moment(self) -> datetime:
        return self.now

    def append(self, rows: Sequence[AnyEvent]) -> None:
        self.now += timedelta(seconds=1)
        table = self.history
        if table.clocks is not None:
            agenda = table.playing.agenda if table.state else ()
            timing = Timing(table.title, table.clocks, agenda, Arrival(self.now, ours=True), EventTimes(ms(self.now)))
            rows = timing.with_clocks(table.version + 1, rows)[0]
        super().append(rows)

    def player(self, seat: int) -> str:
        sat = self.history.seats[seat]
        assert sat is not None and sat.player is not None
        return sat.player

    def fall_due(self, until: Callable[[], bool]) -> None:
        """Let time pass until the condition holds, while only absent seats are played for."""
        while not until():
            at = timeouts.next_due(self.history, self.now, [], self.history.clocks)
            if at is None or at == NOTHING_DUE:
                self.answer()
                continue
            self.now = max(self.now, at)
            if rows := timeouts.due(self.history, self.now + timedelta(seconds=1), 0):
                self.append(rows)

    def vanish(self) -> int:
        """Let time pass until a seat becomes absent, and return that seat."""
        before = {*self.history.lifecycle.away}
        self.fall_due(lambda: before != {*self.history.lifecycle.away})
        (seat,) = {*self.history.lifecycle.away} - before
        return seat

    def agreed(self, question: Question) -> None:
        """Let the player who moved last propose, and all others agree."""
        asks = max(self.history.lifecycle.moved, key=self.history.lifecycle.moved.__getitem__)
        self.append(consent.propose(self.history, self.player(asks), question))
        while asked := self.history.lifecycle.proposal:
            seat = min({*range(SEATS)} - {asks, *asked.agreed})
            self.append(consent.answer(self.history, self.player(seat), agree=True))


def resigned(name: str, ruleset: str) -> Game:
    """Play a game in which two players resign.

    Before that, one player returns, one is replaced, and one changes accounts.
    """
    game = Lived(name, ruleset, LIVE, AbsenceBody())
    game.play(8)
    back = game.vanish()
    game.append(endings.come_back(game.history, game.player(back)))
    game.play(4)
    gone = game.vanish()
    game.append(seating.replace(game.history, player(name, 7), gone))
    game.append(seating.take_over(game.history, game.player(0), player(name, 8)))
    game.append(endings.give_time(game.history, game.player(0), 1, 60))
    game.play(4)
    for seat in (1, 2):
        game.append(endings.resign(game.history, game.player(seat)))
    return game


def timed_out(name: str, ruleset: str) -> Game:
    """Play a game with a pause, a takeback, and a forfeit after a timeout."""
    game = Lived(name, ruleset, LIVE, AbsenceBody("forfeit"))
    game.play(8)
    for question in ("pause", "resume", "takeback"):
        game.agreed(question)
    game.play(8)
    game.fall_due(lambda: game.history.ended is not None)
    return game


def abandoned(name: str, ruleset: str) -> Game:
    """Play a turn-based game with bots as substitutes, from which all players vanish."""
    game = Lived(name, ruleset, DAYS, AbsenceBody("bot", "random"))
    game.play(12)
    for _ in range(SEATS):
        game.vanish()
        game.play(2)
    game.fall_due(lambda: game.history.ended is not None)
    return game


ENDS: dict[str, Callable[[str, str], Game]] = {"resigned": resigned, "timed-out": timed_out, "abandoned": abandoned}
