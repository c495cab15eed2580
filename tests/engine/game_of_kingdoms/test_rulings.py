"""Rulings that no other test covers."""
from __future__ import annotations

from tests.engine.game_of_kingdoms.language import Kingdom


def test_the_attacker_speaks_before_the_first_wave() -> None:
    k = Kingdom("blue 7, green 8", "blue 8, red hero, red king", "green 7, red 5", "yellow 7, red 6", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8")
    assert k.asked == [0]
    assert k.do(0, "add green 8").do(1, "beat green 8 with red hero").asked == [2, 3]


def test_who_passed_an_attack_on_draws_first() -> None:
    k = Kingdom("blue 7, blue 5", "green 7, red 5", "blue 9, green 9, yellow 9", ruthless=True,
                deck="yellow 5, yellow 6, yellow 10, yellow king", turned="red 6")  # fmt: skip
    k.do(0, "lead blue 7").do(1, "pass on green 7").do(2, "beat blue 7 with blue 9").do(2, "beat green 7 with green 9")
    while k.s.attack:
        seat = k.asked[0]
        k.do(seat, "done" if "done" in k.verbs(seat) else "throw nothing")
    assert k.hand(1) == {"red 5", "yellow king", "yellow 10", "yellow 6", "yellow 5", "red 6"}
    assert k.hand(0) == {"blue 5"} and k.hand(2) == {"yellow 9"}


def test_cards_of_several_ranks_are_added_at_once() -> None:
    k = Kingdom("blue 7, green 7, yellow 8", "blue 8, red hero, red king")
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "add green 7, yellow 8")
    assert k.attack == ["blue 7", "green 7", "yellow 8"]


def test_cards_of_several_ranks_are_thrown_in_at_once() -> None:
    k = Kingdom("blue 7, blue 5", "blue 8, red hero, red king", "green 7, yellow 8", ruthless=True)
    k.do(0, "lead blue 7").do(1, "beat blue 7 with blue 8").do(0, "done")
    assert k.do(2, "throw green 7, yellow 8").attack == ["blue 7", "green 7", "yellow 8"]


def test_an_attack_is_passed_on_with_one_card_only() -> None:
    k = Kingdom("blue 7, blue 5", "green 7, yellow 7, red 5", "blue 9, green 9, yellow 9, red 9", ruthless=True)
    k.do(0, "lead blue 7")
    assert k.may(1, "pass on green 7") and not k.may(1, "pass on green 7, yellow 7")


def test_a_defender_who_could_beat_may_take() -> None:
    for ruthless in (False, True):
        k = Kingdom("blue 7, blue 5", "blue 8, red hero", ruthless=ruthless).do(0, "lead blue 7")
        assert k.verbs(1) == {"beat", "take"}
        assert k.do(1, "take").s.taking or "blue 7" in k.hand(1)
