"""Signals, names, prices and the end of the game."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Illegal, new_game
from ludarium_engine.testkit.scene import CHANCE
from ludarium_engine.titles.lights_in_the_fog import TITLE
from ludarium_engine.titles.lights_in_the_fog.state import FogOptions
from tests.engine.lights_in_the_fog.language import Sea, lamp, sign


@pytest.mark.parametrize("seats, each", [(2, 5), (3, 4), (4, 3)])
def test_the_fewer_ships_the_more_lamps_each(seats: int, each: int) -> None:
    s, _ = new_game(TITLE, FogOptions(), seats, CHANCE)
    assert [len(hand) for hand in s.hand] == [each] * seats and len(s.deck) == 30 - seats * each
    assert s.turn == s.first


def test_a_turn_is_a_signal_then_a_name_or_silence() -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5")
    assert sea.about(0) == {"hail 1", "hail 2", "bearing 1", "bearing 2"} and not sea.about(1)
    assert sea.do(0, "bearing 1").about(0) == {"name 1", "name 2", "silence"}
    assert sea.do(0, "silence").asked == [1]


def test_who_hails_answers_too_and_the_slate_says_so() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4").do(0, "hail 1 red")
    assert sea.slate(0) == sea.slate(1) == (["red"], [], [])
    sea.do(0, "silence").do(1, "hail 0 2")
    assert sea.slate(0) == (["red", "number 2"], [], []) and sea.slate(1) == (["red"], ["number 2"], [])


def test_a_lamp_that_is_named_rightly_goes_into_the_logbook_and_another_one_comes() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4", deck="green 1, green 6")
    sea.do(0, "hail 1 3").do(0, "name 1 red 3")
    assert sea.log(0) == ["red 3"] and sea.hand(1) == ["white 4", "green 6"] and sea.hand(0) == ["red 1", "blue 2"]
    assert sea.asked == [1]


def test_a_new_lamp_makes_a_no_doubtful_and_leaves_a_yes_that_was_not_about_the_old_one() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4", deck="green 6")
    sea.do(0, "hail 1 3").do(0, "name 1 white 3").do(0, "pay red 1")
    sea.do(1, "hail 0 white").do(1, "silence").do(0, "hail 1 blue")
    assert sea.slate(1) == (["white", "number 3"], ["blue"], ["white 3"])
    assert sea.do(0, "name 1 red 3").slate(1) == (["white"], [], [])


def test_a_wrong_name_costs_a_lamp_of_ones_own_choice_that_is_not_replaced() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4", deck="green 6").do(0, "hail 1 blue").do(0, "name 1 green 3")
    assert sea.asked == [0] and sea.offers(0) == ["pay red 1", "pay blue 2"]
    sea.do(0, "pay red 1")
    assert sea.log(1) == ["red 1"] and sea.hand(0) == ["blue 2"] and sea.asked == [1]
    assert sea.slate(1) == ([], ["blue"], ["green 3"])


def test_what_a_ship_has_handed_over_it_may_carry_no_longer() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4").do(0, "hail 1 red").do(0, "name 1 red 5").do(0, "pay red 1")
    assert sea.slate(0) == ([], [], []) and sea.slate(1) == (["red"], [], ["red 5"])


def test_who_has_no_lamp_hands_over_nothing_and_answers_no() -> None:
    sea = Sea("", "red 3, white 4", "blue 1").do(0, "hail 1 red")
    assert sea.slate(0) == ([], ["red"], [])
    assert sea.do(0, "name 1 red 5").asked == [1]
    assert sea.about(1) == {"hail 2", "bearing 2"}


def test_an_empty_hold_fills_no_ship_up_and_a_no_stays() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4").do(0, "hail 1 blue").do(0, "name 1 red 3")
    assert sea.hand(1) == ["white 4"] and sea.slate(1) == ([], ["blue"], [])


def test_a_lamp_that_one_sees_cannot_be_named() -> None:
    sea = Sea("red 1, blue 2", "red 3, white 4").do(0, "hail 1 3").do(0, "name 1 red 3").do(1, "bearing 0")
    for seen in ("name 0 red 3", "name 0 white 4"):
        with pytest.raises(Illegal):
            sea.do(1, seen)
    assert sea.do(1, "name 0 red 1").log(1) == ["red 1"]


# --- the end ------------------------------------------------------------------------------------------------------------
def test_a_bell_is_struck_when_each_has_had_a_turn() -> None:
    sea = Sea("red 1", "red 3", "blue 1").do(0, "bearing 1").do(0, "silence").do(1, "bearing 2").do(1, "silence")
    assert sea.s.bells == 8
    assert sea.do(2, "bearing 0").do(2, "silence").s.bells == 7 and sea.asked == [0]


def test_after_the_last_bell_logbooks_and_masked_lamps_count() -> None:
    sea = Sea("red 1, blue 2", "red 6, white 4", bells=1).do(0, "bearing 1").do(0, "name 1 red 6").do(1, "bearing 0")
    assert sea.do(1, "name 0 red 1").s.outcome == [1, 2]
    assert TITLE.scores(sea.s) == [{"score.log": 4, "score.dark": 1}, {"score.log": 2, "score.dark": 1}]


def test_it_ends_at_once_when_fewer_than_two_ships_have_masked_lamps() -> None:
    sea = Sea("red 1, blue 2", "red 6", "").do(0, "bearing 1").do(0, "name 1 red 6")
    assert sea.s.bells == 8 and sea.s.outcome == [1, 2, 2]


def test_of_equal_points_the_fuller_logbook_wins_then_the_place_is_shared() -> None:
    sea = Sea("red 1, blue 2, green 3", "white 4", "red 2", bells=1)
    sea.s.log = [[], [lamp("blue 1")], [lamp("white 1")]]
    for seat in range(3):
        sea.do(seat, f"bearing {(seat + 1) % 3}").do(seat, "silence")
    assert sea.s.outcome == [3, 1, 1]


def test_signs_are_colours_then_numbers() -> None:
    assert (sign("red"), sign("yellow"), sign("1"), sign("6")) == (0, 4, 5, 10)


def test_who_named_wrongly_hears_whom_a_lamp_is_owed() -> None:
    sea = Sea("red 1", "red 2", "blue 3").go(0, "hail 1 red", "name 2 red 5")
    assert sea.prompt(0) == "Wrong guess. Give Cleo one of your masked lamps" and sea.focus() == ["2"]
