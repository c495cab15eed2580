"""The judge of `tests.clocks.siege` finds faults that a test puts into the log."""
from __future__ import annotations

from uuid import UUID

import pytest

from ludarium.clocks.ticks import Tick
from ludarium.tables.model.event_types import NUMBERS, AnyEvent, encode
from ludarium.tables.model.events import TableEnded, TimedAct, TimedOut, TimedStart
from ludarium.tables.model.timing import instant
from ludarium_engine.kernel import Action
from ludarium_eventstore import StoredEvent
from tests.clocks.siege import Found, Refused, Table
from tests.clocks.worker import BANK

TABLE = UUID(int=1)
NOW = 1_774_612_800_000
OUT = NOW + 7_000 + BANK * 1000 + 500
"""The timeout of seat 1, which is asked after 7 seconds."""
START = TimedStart("1", b"", b"", b"", [], [], Tick([0]))
MOVE = TimedAct(0, Action("pass"), [], Tick([1]))
END = TableEnded("timed_out", [1, 2])
FINE: list[tuple[int, AnyEvent]] = [(NOW, START), (NOW + 7_000, MOVE), (OUT, TimedOut(1, 1)), (OUT + 1000, END)]


def wrongs(rows: list[tuple[int, AnyEvent]], *refused: int) -> str:
    stored = [
        StoredEvent(nth, TABLE, nth, *NUMBERS[type(row)], instant(at), encode(row), b"", b"", None)
        for nth, (at, row) in enumerate(rows)
    ]
    return ", ".join(Table(Found([]), [Refused(TABLE, 1, at) for at in refused]).wrongs(stored))


def test_there_is_nothing_wrong_with_a_deadline_that_comes_in_its_time() -> None:
    assert wrongs(FINE, OUT - 499, OUT) == ""


def test_there_is_nothing_wrong_with_a_second_deadline_behind_an_answer_that_came_in_time() -> None:
    in_time = TimedAct(1, Action("pass"), [], Tick([1], late=600))
    assert wrongs([*FINE[:3], (OUT + 100, in_time), (OUT + 600, FINE[2][1]), (OUT + 1600, END)]) == ""


def test_nobody_is_credited_what_a_decision_has_not_taken() -> None:
    before_it_was_asked = TimedAct(0, Action("pass"), [], Tick([0], late=300))
    out = NOW + BANK * 1000 + 500
    assert wrongs([(NOW, START), (NOW, before_it_was_asked), (out, TimedOut(0, 0)), (out + 1000, END)]) == ""


@pytest.mark.parametrize(("rows", "told"), [
    ([*FINE[:2], (OUT - 1, TimedOut(1, 1)), FINE[3]], "1 ms early"),
    ([*FINE[:2], (OUT, TimedOut(1, 1, Tick(away=3000))), FINE[3]], "3000 ms early"),
    ([*FINE[:3], FINE[2], FINE[3]], "came twice"),
    ([*FINE, FINE[3]], "ended twice"),
    (FINE[:2], "missed"),
    (FINE[:3], "missed"),
    ([*FINE[:2], (OUT, TimedOut(0, 0)), FINE[3]], "owed nothing"),
    ([*FINE[:2], (OUT, TimedOut(1, 0)), FINE[3]], "owed nothing"),
    ([FINE[0], (NOW + BANK * 1000 + 1, MOVE), FINE[3]], "answered after"),
])  # fmt: skip
def test_planted_faults_are_found(rows: list[tuple[int, AnyEvent]], told: str) -> None:
    assert told in wrongs(rows)


def test_a_command_that_was_refused_in_time_is_found() -> None:
    assert "was in time" in wrongs(FINE, OUT - 500)
