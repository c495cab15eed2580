"""Seats that leave a game, and games of several deals.

The remaining seats keep their order, and places follow the order of leaving.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludarium_engine.kernel import Action, Illegal, RulesError, decide, legal_offers, new_game
from ludarium_engine.kernel.deals import clear_for_new_deal, is_decided
from ludarium_engine.kernel.elimination import (
    best_free_place,
    final_places,
    finish,
    knock_out,
    next_seat_left,
    places_by_result,
    seats_left,
)
from ludarium_engine.kernel.facts import Moved, NumbersRevealed
from ludarium_engine.kernel.table import standings
from ludarium_engine.testkit import cached_views, folded
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import DECODE, Case, Failure, play
from ludarium_engine.testkit.memory import Memory
from ludarium_engine.testkit.noninterference import DIFFERS, SAME, changed, trials
from ludarium_engine.testkit.redacted_fold import fold
from tests.engine.kernel.tiny import CHANCE
from tests.engine.proof import rally as game
from tests.engine.proof.rally import KEPT, T, at, rally

SEEDS = range(8)


def begun(seats: int = 4) -> T:
    title = rally()
    return T(title, new_game(title, title.options(), seats, CHANCE)[0], CHANCE)


# --- the order of those left, and places ------------------------------------------------------------------------------
@pytest.mark.parametrize(("places", "seat", "left"), [
    ([0, 0, 0], 0, [0, 1, 2]), ([0, 0, 0], 2, [2, 0, 1]), ([0, 2, 0], 1, [2, 0]), ([1, 2, 0], 0, [2]), ([1, 2, 3], 1, []),
    ([0, 0, 0], 3, [0, 1, 2]),
])  # fmt: skip
def test_turn_order_leaves_out_those_who_left(places: list[int], seat: int, left: list[int]) -> None:
    assert seats_left(places, seat) == left


def test_the_next_seat_is_one_that_is_still_in() -> None:
    assert [next_seat_left([0, 2, 0, 1], seat) for seat in range(4)] == [2, 2, 0, 0]
    assert next_seat_left([0, 2, 3, 1], 0) == 0


@pytest.mark.parametrize(("leavings", "places"), [
    ([(finish, [1]), (finish, [0, 2])], [2, 1, 2, 4]),
    ([(knock_out, [1]), (knock_out, [0, 2])], [2, 4, 2, 1]),
    ([(knock_out, [3]), (finish, [0]), (knock_out, [1])], [1, 3, 2, 4]),
    ([(finish, [0, 1]), (knock_out, [2])], [1, 1, 4, 3]),
    ([(finish, [0, 1, 2, 3])], [1, 1, 1, 1]),
    ([(knock_out, [0, 1, 2, 3])], [1, 1, 1, 1]),
    ([], [1, 1, 1, 1]),
])  # fmt: skip
def test_places_follow_from_the_order_of_leaving(leavings: list[tuple[Any, list[int]]], places: list[int]) -> None:
    t = begun()
    for leave, seats in leavings:
        leave(t, at.place, seats)
    assert final_places(t.s.place) == places


def test_who_leaves_is_told_its_place() -> None:
    t = begun()
    assert (finish(t, at.place, [2]), knock_out(t, at.place, [0]), best_free_place(t.s.place)) == (1, 4, 2)


def test_nobody_leaves_twice() -> None:
    t = begun()
    finish(t, at.place, [2])
    with pytest.raises(RulesError, match=r"the seats \[2\] have left before"):
        knock_out(t, at.place, [1, 2])
    assert t.s.place == [0, 0, 1, 0]


def test_those_still_in_are_ranked_between_those_who_left() -> None:
    assert places_by_result([1, 0, 4, 0], {1: 5, 3: 7}) == [1, 3, 4, 2]
    assert places_by_result([0, 0, 3], {0: (2, 1), 1: (2, 1)}) == [1, 1, 3]


# --- several deals ------------------------------------------------------------------------------------------------------
def test_a_new_deal_finds_the_zones_as_before_the_set_up_but_for_those_kept() -> None:
    t = begun()
    t.move_all(at.hand[1], at.played[1])
    t.set(at.folded[2], True)
    t.add(at.score[1], 3)
    knock_out(t, at.place, [2])
    clear_for_new_deal(t, KEPT)
    blank = game.blank(t.s.options, 4)
    for name in ("hand", "played", "marks", "folded", "place"):
        assert getattr(t.s, name) == getattr(blank, name)
    assert sorted(t.s.deck) == blank.deck and (t.s.score, t.s.deals) == ([0, 3, 0, 0], 1)


def test_clearing_tells_nobody_a_card_and_everybody_the_numbers_of_the_blank_state() -> None:
    t, title = begun(), rally()
    before, n = t.s.hand[1][0], len(t.facts)
    clear_for_new_deal(t, KEPT)
    for fact in t.facts[n:]:
        seen = fact.redacted(title.layout, 0)
        assert not isinstance(seen, Moved) or before not in seen.cards
    assert sum(isinstance(fact, NumbersRevealed) for fact in t.facts) == 4


def test_an_unknown_zone_cannot_be_kept() -> None:
    with pytest.raises(RulesError, match="there is no zone scores"):
        clear_for_new_deal(begun(), ["scores"])


def test_what_decides_a_game_of_several_deals() -> None:
    assert is_decided([3, 5], 5) and not is_decided([3, 4], 5)
    assert is_decided([5, 5], 5) and not is_decided([5, 5], 5, one_leader=True) and is_decided([6, 5], 5, one_leader=True)


def test_games_take_several_deals_and_carry_the_score() -> None:
    title = rally()
    for seed in SEEDS:
        end = fold(title, title.options(), 3, map(DECODE, play(Case(title, {}, 3), seed).log))
        assert end.deals > 1 and max(end.score) >= game.TARGET and end.outcome == standings(end.score)


# --- proofs ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_nobody_can_tell_two_worlds_apart(seats: int) -> None:
    case = Case(rally(), {}, seats)
    results = trials(Observer(case.title), case, SEEDS[:4])
    assert not results[DIFFERS] and results[SAME] > 100 and changed(results) >= 0.9
    assert folded.check(case, 1) > 10 and cached_views.check(case, 1) > 5


def test_its_secrets_are_noticed_when_they_are_opened() -> None:
    title = rally()
    noticed = {flip.name: flip.noticed for flip in flips(title, [Case(title, {}, 3)], SEEDS[:4])}
    assert noticed["zone hand"] and noticed["zone marks"] and False not in noticed.values()


def test_a_seat_that_has_left_is_not_asked() -> None:
    title = rally()
    s = begun().s
    s, _ = decide(title, s, 0, Action("fold"), CHANCE)
    assert s.turn == 1 and not legal_offers(title, s, 0)
    for action in (Action("fold"), Action("pass"), Action("play", (s.hand[0][0],))):
        with pytest.raises(Illegal):
            decide(title, s, 0, action, CHANCE)


# --- planted mistakes -------------------------------------------------------------------------------------------------------
def asks_everybody(t: T, f: Any) -> None:
    if len(seats_left(t.s.place)) > 1:
        game.begin(t, (f.seat + 1) % t.s.seats)
    else:
        game.next_turn(t, f)


def keeps_the_hands(t: T, f: Any) -> None:
    if len(seats_left(t.s.place)) > 1:
        game.begin(t, next_seat_left(t.s.place, f.seat))
    elif t.s.deals > 2:
        t.end([1] * t.s.seats)
    else:
        clear_for_new_deal(t, [*KEPT, "hand"])
        game.deal(t)


@pytest.mark.parametrize("row", [asks_everybody, keeps_the_hands])
def test_a_wrong_order_and_a_wrong_deal_are_found(row: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], row))
    with pytest.raises(Failure):
        for seed in SEEDS:
            play(Case(rally(), {}, 3), seed)


def deals_by_marks(t: T) -> None:
    """Choose the first seat of the new deal by a hidden number."""
    t.set(at.dealer, max(range(t.s.seats), key=lambda seat: (t.s.marks[seat], -seat)))


def test_a_dealer_who_follows_from_a_hidden_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def next_turn(t: T, f: Any) -> None:
        deals_by_marks(t)
        game.next_turn(t, f)

    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], next_turn))
    case = Case(rally(), {}, 3)
    assert trials(Observer(case.title), case, SEEDS[:4])[DIFFERS]


def test_cards_that_are_known_when_a_deal_ends_are_not_known_in_the_next_one() -> None:
    t = begun(2)
    title, s = rally(), t.s
    mind = Memory(title, 0, title.blank(s.options, 2))
    mind.apply(title.blank(s.options, 2), new_game(title, s.options, 2, CHANCE)[1])
    assert mind.known == {*s.hand[0]}
    while s.deals == 1:
        before = s
        s, event = decide(title, s, s.turn, Action("fold"), CHANCE)
        mind.apply(before, event)
    assert mind.known == {*s.hand[0]}
