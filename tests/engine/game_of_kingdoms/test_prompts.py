"""Prompts name the opponent and the numbers, and the focus is the attack."""
from __future__ import annotations

from tests.engine.game_of_kingdoms.language import Kingdom
from tests.engine.game_of_kingdoms.test_ruthless import beaten_once


def test_attacking_on_is_another_question_than_piling_onto_a_taker() -> None:
    hands = "blue 7, green 8, green 7", "blue 8, red 5", "yellow 5, yellow 6"
    k = Kingdom(*hands).do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.prompt(0) == "All attacks are beaten. Add a card matching a rank on the table against Bea, or choose Done"
    k = Kingdom(*hands).do(0, "lead blue 7").do(1, "take")
    assert k.prompt(0) == "Bea picks up. You may add one more card matching a rank on the table"


def test_who_throws_in_hears_against_whom() -> None:
    k = beaten_once()
    assert k.prompt(2) == k.prompt(3)
    assert k.prompt(2) == "All attacks are beaten. You may throw in a card matching a rank on the table against Bea"
    hands = "blue 7, blue 9", "blue 8, red 5, red 6", "green 7, yellow 10", "yellow 8, green 10"
    k = Kingdom(*hands, ruthless=True).do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    k.do(2, "throw green 7").do(3, "throw nothing").do(1, "take").do(0, "done")
    assert k.prompt(3) == "Bea picks up. You may throw in one more card matching a rank on the table"


def test_the_defender_hears_who_attacks_and_what_taking_means() -> None:
    k = Kingdom("blue 7, green 7", "blue 8, yellow 7, red 6, red 5", "green 5, green 6, green 10, green 9", ruthless=True)
    k.do(0, "lead blue 7, green 7")
    assert k.prompt(1) == "Ada attacks: beat 2 cards, or pick up"
    assert k.labels(1, "pass_on") == ["Pass the attack on to Cleo with Squire 7, yellow"]
    assert k.do(1, "beat blue 7 with blue 8").labels(1, "take") == ["Pick up all 3 cards"]


def test_the_focus_is_what_is_still_to_be_beaten() -> None:
    k = Kingdom("blue 7, green 7", "blue 8, red 5", "green 5").do(0, "lead blue 7, green 7")
    k.do(1, "beat blue 7 with blue 8")
    assert k.focus() == ["green 7", "0: 2 blue 7 green 7", "1: 1 blue 8"]
