"""Counts of all sequences of actions.

A different number means that a rule has changed.
"""
from __future__ import annotations

import pytest

from ludarium_engine.registry import titles
from ludarium_engine.testkit.perft import perft
from ludarium_engine.testkit.scene import CHANCE
from ludarium_engine.titles.game_of_kingdoms import TITLE
from tests.engine.game_of_kingdoms.language import Kingdom
from tests.engine.perft_rows import Row, count, path_of, rows


def test_there_are_rows_of_each_title() -> None:
    missing = [title.id for title in titles().values() if not path_of(title).exists()]
    assert not missing, f"run python -m tests.engine.perft_rows for {missing}"


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.ruleset}-{row.seats}-{row.options}")
def test_as_many_ways_lead_on_as_ever(row: Row) -> None:
    title = titles()[row.ruleset]
    assert [count(title, row, depth) for depth in range(1, len(row.counts) + 1)] == row.counts


def test_a_position_counted_by_hand() -> None:
    """Count the sequences of a standard game with two seats and red as trump.

    At depth 1, the attacker may lead a 7 (either or both, because the defender has two cards) or the blue 8, which makes 3
    + 1 = 4. At depth 2, the defender beats a single card with the red 5 or the red 6, or takes it, which makes 3 for each
    of three leads. Against both sevens, the defender beats either of them with either trump, or takes them, which makes 4 +
    1. Together, this is 9 + 5 = 14.
    """
    s = Kingdom("blue 7, green 7, blue 8", "red 5, red 6").s
    assert [perft(TITLE, s, CHANCE, depth) for depth in (1, 2)] == [4, 14]


def test_a_ruthless_position_counted_by_hand() -> None:
    """Count the sequences of a ruthless game with three seats and red as trump.

    At depth 1, the attacker leads the knight or the 5, which makes 2. At depth 2, the blue knight is beaten only by the red
    5, passed on with the green knight (the next seat has as many cards as would then attack), or taken, which makes 3. The
    blue 5 is beaten by the blue 6 or the red 5, passed on with the red 5, or taken, which makes 4. Together, this is 7.
    """
    s = Kingdom("blue knight, blue 5", "green knight, red 5, blue 6", "blue queen, yellow 6", ruthless=True).s
    assert [perft(TITLE, s, CHANCE, depth) for depth in (1, 2)] == [2, 7]


def test_a_game_that_is_over_leads_nowhere() -> None:
    s = Kingdom("blue 7", "blue 9").do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").s
    assert perft(TITLE, s, CHANCE, 0) == 1 and perft(TITLE, s, CHANCE, 1) == 0
