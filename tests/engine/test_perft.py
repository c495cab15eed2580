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
    """Two seats, standard, red is trump.

    Depth 1: the attacker may lead a 7 (either, or both, because the defender has two cards) or the blue 8: 3 + 1 = 4. Depth 2:
    against one card, the defender beats with the red 5 or the red 6, or takes: 3 for each of three leads. Against both sevens,
    each of the two trumps beats each of them, or the defender takes: 4 + 1. Together 9 + 5 = 14.
    """
    s = Kingdom("blue 7, green 7, blue 8", "red 5, red 6").s
    assert [perft(TITLE, s, CHANCE, depth) for depth in (1, 2)] == [4, 14]


def test_a_ruthless_position_counted_by_hand() -> None:
    """Three seats, ruthless, red is trump.

    Depth 1: the attacker leads the knight or the 5: 2. Depth 2: the blue knight is beaten by the red 5 alone, passed on with
    the green knight (the next seat has as many cards as would then attack), or taken: 3. The blue 5 is beaten by the blue 6 or
    the red 5, passed on with the red 5, or taken: 4. Together 7.
    """
    s = Kingdom("blue knight, blue 5", "green knight, red 5, blue 6", "blue queen, yellow 6", ruthless=True).s
    assert [perft(TITLE, s, CHANCE, depth) for depth in (1, 2)] == [2, 7]


def test_a_game_that_is_over_leads_nowhere() -> None:
    s = Kingdom("blue 7", "blue 9").do(0, "lead blue 7").do(1, "beat blue 7 with blue 9").s
    assert perft(TITLE, s, CHANCE, 0) == 1 and perft(TITLE, s, CHANCE, 1) == 0
