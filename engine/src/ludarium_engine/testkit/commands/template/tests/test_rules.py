"""Test the rules of New Title on positions set up by hand."""
from __future__ import annotations

from typing import Any

from ludarium_engine.registry import titles
from ludarium_engine.testkit.scene import Scene

TITLE = titles()["new-title"]


def game(*hands: str) -> Scene[Any]:
    """Return a game with these hands, in which seat 0 is the starting player."""
    return Scene(TITLE, len(hands)).lay(**{f"hand{seat}": cards for seat, cards in enumerate(hands)}).asks("turn", 0)


def test_seats_play_in_turn() -> None:
    scene = game("card_1 card_2", "card_3 card_4")
    assert scene.asked == [0] and scene.offers(0) == ["play card_1", "play card_2"] and not scene.offers(1)
    assert scene.do(0, "play card_1").zone("played0") == ["card_1"] and scene.asked == [1]


def test_the_highest_sum_of_three_cards_wins() -> None:
    scene = game("card_1 card_2 card_3 card_20", "card_4 card_5 card_6")
    for mine, theirs in ((1, 4), (2, 5), (3, 6)):
        scene.then((0, f"play card_{mine}"), (1, f"play card_{theirs}"))
    assert scene.s.outcome == [2, 1]


def test_equal_sums_share_the_place() -> None:
    scene = game("card_1 card_2 card_9", "card_3 card_4 card_5")
    for mine, theirs in ((1, 3), (2, 4), (9, 5)):
        scene.then((0, f"play card_{mine}"), (1, f"play card_{theirs}"))
    assert scene.s.outcome == [1, 1]
