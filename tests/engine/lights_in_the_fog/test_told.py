"""Audiences of facts, visibility, and the limits of undo."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import SPECTATOR, UNKNOWN, legal_offers, undo_obstacle, view
from ludarium_engine.titles.lights_in_the_fog import TITLE
from tests.engine.lights_in_the_fog.language import Sea, lamp


def test_all_hear_a_hail_and_both_answers() -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5").do(0, "hail 1 blue")
    assert sea.heard_by_all() == ["0 hails 1: blue?", "1 carries no blue", "0 carries blue"]


@pytest.mark.parametrize("mine, theirs, answer", [
    ("red 5, blue 2", "green 3", "The highest lamp of 0 is higher than that of 1"),
    ("red 3", "green 1, white 3", "The highest lamps of 0 and 1 are equally high"),
    ("red 3, blue 1", "green 1, white 4", "The highest lamp of 0 is lower than that of 1"),
    ("", "green 1", "The highest lamp of 0 is lower than that of 1"),
])  # fmt: skip
def test_only_the_two_ships_hear_a_bearing_and_the_others_that_it_was_taken(mine: str, theirs: str, answer: str) -> None:
    sea = Sea(mine, theirs, "yellow 5").do(0, "bearing 1")
    assert sea.heard(0) == sea.heard(1) == ["0 takes a bearing on 1", answer]
    assert sea.heard(2) == sea.heard(SPECTATOR) == ["0 takes a bearing on 1"]
    assert [sea.slate(ship) for ship in range(3)] == [([], [], [])] * 3


def test_all_hear_whether_a_name_was_right() -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5", deck="red 6").do(0, "bearing 2").do(0, "name 1 white 4")
    right = ["0 names a lamp aboard 1: white, number 4", "1 carries the lamp white, number 4"]
    taken = "0 takes white 4 from 1 into the logbook"
    assert sea.heard(0) == sea.heard(2) == sea.heard(SPECTATOR) == [*right, taken, "1 masks a lamp from the hold"]
    assert sea.heard(1) == [*right, taken, "1 masks red 6 from the hold"]
    bearing = ["0 takes a bearing on 2", "The highest lamp of 0 is lower than that of 2"]
    assert (sea.story(2), sea.story(1)[:2]) == ([*bearing, *sea.heard(2)], [bearing[0], right[0]])
    sea.do(1, "bearing 2").do(1, "name 0 green 6")
    assert sea.heard_by_all() == ["1 names a lamp aboard 0: green, number 6", "0 does not carry the lamp green, number 6"]


def test_a_wrong_name_says_of_nobody_else_who_carries_that_lamp() -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5").do(0, "bearing 2").do(0, "name 1 yellow 5")
    assert [type(fact).__name__ for fact in sea.events[-1].facts] == ["Said", "Admitted", "Became", "Agenda"]


@pytest.mark.parametrize("audience", [0, 2, SPECTATOR])
def test_the_new_lamp_is_seen_by_its_ship_alone(audience: int) -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5", deck="red 6").do(0, "bearing 2").do(0, "name 1 white 4")
    assert view(TITLE, sea.s, 1).hand[1] == [lamp("green 3"), lamp("red 6")]
    assert view(TITLE, sea.s, audience).hand[1] == [UNKNOWN, UNKNOWN]


def test_all_see_the_lamp_that_is_handed_over_and_only_its_ship_those_that_it_chose_among() -> None:
    sea = Sea("red 1, blue 2", "green 3", "yellow 5").do(0, "bearing 2").do(0, "name 1 red 6").do(0, "pay blue 2")
    for audience in (1, 2, SPECTATOR):
        seen = view(TITLE, sea.s, audience)
        assert seen.hand[0] == [UNKNOWN] and seen.log[1] == [lamp("blue 2")]


def test_what_is_offered_says_nothing_of_what_lies_where_the_seat_does_not_see_it() -> None:
    mine, some, others = "red 1, blue 2", "green 3, white 4", "green 6, blue 1"
    one, other = Sea(mine, some, "yellow 5", deck=others), Sea(mine, others, "yellow 5", deck=some)
    for row in ("hail 1 red", "silence"):
        assert legal_offers(TITLE, one.s, 0) == legal_offers(TITLE, other.s, 0)
        one.do(0, row)
        other.do(0, row)


@pytest.mark.parametrize("words", ["hail 1 red", "bearing 1"])
def test_what_was_heard_cannot_be_taken_back_freely(words: str) -> None:
    sea = Sea("red 1, blue 2", "green 3, white 4", "yellow 5").do(0, words)
    assert undo_obstacle(TITLE.layout, 3, sea.events[-1])
    assert undo_obstacle(TITLE.layout, 3, sea.do(0, "name 1 green 5").events[-1])
    assert undo_obstacle(TITLE.layout, 3, sea.do(0, "pay red 1").events[-1])
