"""Bots play to the end from their views, and the simple bot beats the random one."""
from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ludarium_engine.bots import bots
from ludarium_engine.bots.guessing import subset_of
from ludarium_engine.kernel import Title
from ludarium_engine.kernel.bodies import Subset
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import Case, cases
from ludarium_engine.testkit.simulation import play

GAMES, ENOUGH = 60, 40
TABLES = [case for title in titles().values() for case in cases(title)]
CLEVER = [title for title in titles().values() if "simple" in bots(title)]


@pytest.mark.parametrize("case", TABLES, ids=lambda case: f"{case.title.id}-{case.seats}")
def test_bots_play_to_the_end(case: Case) -> None:
    """All kinds of bots play at each number of seats, each time in another order."""
    known = [*bots(case.title).values()]
    for first in range(len(known) if case.seats < len(known) else 1):
        at_table = [known[(first + case.seats + seat) % len(known)] for seat in range(case.seats)]
        game = play(case.title, case.options, at_table, seed=case.seats)
        assert game.outcome is not None


@pytest.mark.parametrize("title", CLEVER, ids=lambda title: title.id)
def test_the_simple_bot_beats_chance(title: Title[Any, Any]) -> None:
    """The bots play at two seats in both orders.

    A fair coin would win 40 of 60 games in one of 300 runs.
    """
    known, options = bots(title), title.options()
    won = 0
    for seed in range(GAMES):
        table = [known["simple"], known["random"]]
        mine = seed % 2
        game = play(title, options, table[::-1] if mine else table, seed)
        won += game.outcome is not None and game.outcome[mine] == 1 and game.outcome[1 - mine] != 1
        if won == ENOUGH:
            break
    assert won == ENOUGH


def test_the_random_bot_keeps_the_bounds_of_a_subset() -> None:
    for seed in range(200):
        chosen = subset_of(Subset("card", [1, 2, 3], [1, 2, 4], 3, 5), Random(seed))
        assert 3 <= sum({1: 1, 2: 2, 3: 4}[piece] for piece in chosen) <= 5
