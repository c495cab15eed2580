"""The checker of histories finds a fault of each kind when a test inserts one."""
from __future__ import annotations

import pytest

from tests.faults.history import Attempt, Logged, faults

A = Attempt("s", ("a",), 0, 1, 0)
B = Attempt("s", ("b", "c"), 2, 3, 1)
LOST = Attempt("s", ("d",), 4, 9, known=False)
REFUSED = Attempt("s", ("e",), 4, 5)
OTHER = Attempt("t", ("x",), 6, 7, 0)
HISTORY = [A, B, LOST, REFUSED, OTHER]


def log(*, s: str = "abc", t: str = "x") -> dict[str, list[Logged]]:
    """Return the events of two streams, all of `s` before those of `t`.

    Args:
        s: The content of each event of the first stream, as one character.
        t: The same for the second stream.
    """
    return {
        "s": [Logged(n, content, n + 1) for n, content in enumerate(s)],
        "t": [Logged(n, content, n + 10) for n, content in enumerate(t)],
    }


@pytest.mark.parametrize("s", ["abc", "abcd"])
def test_a_history_without_fault_whatever_became_of_the_unknown_outcome(s: str) -> None:
    assert faults(HISTORY, log(s=s)) == []


@pytest.mark.parametrize(
    ("s", "what"),
    [
        ("ab", "version 2 was acknowledged and is not in the log"),
        ("abce", "1 rows that nobody sent"),
        ("abcz", "1 rows that nobody sent"),
        ("abcdd", "1 rows that nobody sent"),
        ("abca", "1 rows that nobody sent"),
        ("bac", "version 0 was acknowledged and is not in the log"),
    ],
)
def test_rows_that_are_missing_doubled_or_invented(s: str, what: str) -> None:
    assert any(what in fault for fault in faults(HISTORY, log(s=s)))


def test_a_gap() -> None:
    wrong = log()
    wrong["t"] = [Logged(1, "x", 10)]
    assert any("gap" in fault for fault in faults(HISTORY, wrong))


def test_one_version_for_two_callers() -> None:
    assert any("2 times" in fault for fault in faults([*HISTORY, A._replace(began=8, ended=9)], log()))


def test_a_row_before_one_that_had_been_acknowledged_when_it_was_asked_for() -> None:
    wrong = log()
    wrong["t"] = [Logged(0, "x", 0)]
    assert faults(HISTORY, wrong) == [
        "t: version 0 (place 0) was asked for after a later row had been acknowledged"
    ]


def test_those_under_way_at_the_same_time_may_come_in_any_order() -> None:
    assert faults([A, B, OTHER._replace(began=0.5)], {**log(), "t": [Logged(0, "x", 0)]}) == []


def test_an_unknown_outcome_of_unknown_content_may_have_made_one_row() -> None:
    lost = Attempt("s", None, 4, 9, known=False)
    assert faults([A, B, lost, OTHER], log(s="abcz")) == []
    assert any("2 rows" in fault for fault in faults([A, B, lost, OTHER], log(s="abczz")))


def test_rows_of_the_setup_are_nobody_s() -> None:
    rows = {"s": [Logged(n, content, n) for n, content in enumerate("..a")]}
    assert faults([A._replace(version=2)], rows, setup=2) == []
