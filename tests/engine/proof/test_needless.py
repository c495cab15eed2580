"""Questions that need not be asked: simulate counts them, and a reaction is asked for only where it may be held."""
from __future__ import annotations

from typing import Any

import pytest

from engine import titles
from engine.bots import bots
from engine.kernel import State
from engine.proof.needless import FORCED, HOPELESS
from engine.valley_of_the_kings import TITLE as VALLEY
from engine.valley_of_the_kings import reactions
from services.tools.simulate import Game, play

SEATS, GAMES = 4, 3
KINGDOMS = titles()["game-of-kingdoms"]


def games(title: Any, bot: str) -> list[Game]:
    return [play(title, title.options(), [bots(title)[bot]] * SEATS, seed) for seed in range(GAMES)]


def test_windows_open_where_a_card_may_be_held() -> None:
    played = games(VALLEY, "simple")
    assert sum(game.needless[HOPELESS] for game in played) <= GAMES
    assert 0 < sum(sum(game.windows) for game in played) <= 13 * GAMES


def test_windows_that_open_for_everybody_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def always(s: State, seat: int, name: str) -> bool:
        return name in ("boat", "cat")

    monkeypatch.setattr(reactions, "may_hold", always)
    assert all(game.needless[HOPELESS] > 100 for game in games(VALLEY, "simple"))


def test_what_a_hand_decides_is_not_forced() -> None:
    """Who can only take, or has nothing to add, might have held another card; the last one of all need not be asked."""
    played = games(KINGDOMS, "simple")
    assert all(game.needless[FORCED] < game.actions / 8 and not game.needless[HOPELESS] for game in played)
