"""The simulation counts pointless questions, and windows open only where needed."""
from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ludarium_engine.bots import bots
from ludarium_engine.kernel import Chance, State, decide, legal_offers, new_game, seats_to_act
from ludarium_engine.registry import titles
from ludarium_engine.testkit.pointless_prompts import HOPELESS, PublicKnowledge, pointless_reason
from ludarium_engine.testkit.sample import random_action
from ludarium_engine.testkit.simulation import Game, play
from ludarium_engine.titles.valley_of_the_kings import TITLE as VALLEY
from ludarium_engine.titles.valley_of_the_kings import reactions

SEATS, GAMES = 4, 3
KINGDOMS = titles()["game-of-kingdoms"]
CHANCE, LUCK = Chance(bytes(32)), Random(1)


def games(title: Any, bot: str) -> list[Game]:
    return [play(title, title.options(), [bots(title)[bot]] * SEATS, seed) for seed in range(GAMES)]


def test_windows_open_where_a_card_may_be_held() -> None:
    played = games(VALLEY, "simple")
    assert sum(game.pointless[HOPELESS] for game in played) <= GAMES
    assert 0 < sum(sum(game.windows) for game in played) <= 13 * GAMES


def test_windows_that_open_for_everybody_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def always(s: State, seat: int, name: str) -> bool:
        return name in ("boat", "cat")

    monkeypatch.setattr(reactions, "may_hold", always)
    assert all(game.pointless[HOPELESS] > 100 for game in games(VALLEY, "simple"))


def test_what_a_hand_decides_is_not_forced() -> None:
    """A seat that can only take might have another card, as far as other seats know."""
    s, event = new_game(KINGDOMS, KINGDOMS.options(), SEATS, CHANCE)
    where = PublicKnowledge(KINGDOMS, KINGDOMS.blank(KINGDOMS.options(), SEATS))
    where.apply(event)
    while [offer.verb for offer in legal_offers(KINGDOMS, s, seats_to_act(s)[0])] != ["take"]:
        seat = seats_to_act(s)[0]
        s, event = decide(KINGDOMS, s, seat, random_action(legal_offers(KINGDOMS, s, seat), LUCK), CHANCE)
        where.apply(event)
    assert s.deck and pointless_reason(KINGDOMS, s, seats_to_act(s)[0], where) is None
