"""Points in every scheme and for unplayed rounds, with the examples of the docs."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_pairing.deals import deal, rotated
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import WIN, Entry, GameResult, Round, Settings, Table
from ludarium_pairing.points import round_points
from ludarium_pairing.random_draws import RandomDraws
from ludarium_pairing.sizes import table_sizes
from ludarium_pairing.standings import standings

FOUR = ("ada", "ben", "cleo", "dora")


def units(settings: dict[str, Any], *games: GameResult, seats: tuple[str, ...] = FOUR) -> list[int]:
    asked = Settings(**{"seats": 4, **settings})
    return [round_points(asked, Round((Table(seats, games),)))[id] for id in seats]


@pytest.mark.parametrize(("scheme", "places", "expected"), [
    ({}, (1, 2, 3, 4), [120, 80, 40, 0]),
    ({}, (2, 1, 2, 4), [60, 120, 60, 0]),
    ({}, (1, 1, 1, 1), [60, 60, 60, 60]),
    ({"scheme": "5310"}, (1, 2, 3, 4), [600, 360, 120, 0]),
    ({"scheme": "5310"}, (1, 2, 2, 2), [600, 160, 160, 160]),
    ({"scheme": "own", "own": {3: (4, 2, 0), 4: (6, 4, 2, 0)}}, (4, 3, 2, 1), [0, 240, 480, 720]),
])  # fmt: skip
def test_places_are_worth_what_the_scheme_says_and_shared_if_shared(
    scheme: dict[str, Any], places: tuple[int, ...], expected: list[int]
) -> None:
    assert units(scheme, GameResult(places)) == expected


@pytest.mark.parametrize("size", range(2, 7))
def test_the_first_has_as_much_at_every_size_and_the_mean_is_the_same(size: int) -> None:
    seats = tuple("abcdef"[:size])
    found = units({}, GameResult(tuple(range(1, size + 1))), seats=seats)
    assert found[0] == WIN and found[-1] == 0 and sum(found) == size * WIN // 2


def test_a_share_of_the_points_is_even_at_every_size() -> None:
    assert units({"scheme": "share"}, GameResult((1, 2, 3, 4), (40, 30, 20, 10))) == [96, 72, 48, 24]
    assert units({"scheme": "share"}, GameResult((1, 1, 1, 1), (0, 0, 0, 0))) == [60] * 4
    assert units({"scheme": "share"}, GameResult((1, 2), (3, -1)), seats=("a", "b")) == [120, 0]


def test_duplicate_deals_compare_the_same_seat_at_all_tables() -> None:
    asked = Settings(seats=2, scheme="duplicate")
    points = [(30, 10), (20, 10), (20, 25)]
    tables = [Table((f"{n}", f"{n}'"), (GameResult((1, 2), own),)) for n, own in enumerate(points)]
    found = round_points(asked, Round(tuple(tables)))
    assert found == {"0": 120, "0'": 30, "1": 30, "1'": 30, "2": 30, "2'": 120}


def test_a_game_that_was_not_counted_is_worth_what_its_places_are() -> None:
    """Otherwise losing players would gain by resigning, and rulings would be draws."""
    assert units({"scheme": "share"}, GameResult((2, 1)), seats=("a", "b")) == [0, 120]
    assert units({"scheme": "share"}, GameResult((3, 1, 1, 4))) == [40, 100, 100, 0]
    given_up, counted = Table(("a", "b"), (GameResult((2, 1)),)), Table(("c", "d"), (GameResult((1, 2), (3, 1)),))
    asked = Settings(seats=2, scheme="duplicate")
    assert round_points(asked, Round((given_up, counted))) == {"a": 0, "b": 120, "c": 60, "d": 60}


def test_the_same_board_is_dealt_alike_and_seats_move_on() -> None:
    assert deal(b"s", 1, 2) == deal(b"s", 1, 2) != deal(b"s", 1, 3) and len(deal(b"s", 1, 2)) == 32
    assert rotated(("a", "b", "c"), 1) == ("b", "c", "a") and rotated(("a", "b", "c"), 3) == ("a", "b", "c")


def test_several_games_are_one_match_placed_by_their_sum() -> None:
    assert units({}, GameResult((1, 2, 3, 4)), GameResult((1, 2, 3, 4)), GameResult((4, 1, 2, 3))) == [80, 120, 40, 0]
    assert units({}, GameResult((1, 2)), GameResult((2, 1)), seats=("a", "b")) == [60, 60]


def test_a_bye_is_worth_a_win_unless_told() -> None:
    assert round_points(Settings(seats=4), Round((), ("ada",))) == {"ada": 120}
    assert round_points(Settings(seats=4, bye="mean"), Round((), ("ada",))) == {"ada": 60}
    assert round_points(Settings(seats=4, scheme="5310", bye="mean"), Round((), ("ada",))) == {"ada": 270}


def test_who_does_not_come_has_nothing_and_has_met_nobody() -> None:
    entries, table = tuple(map(Entry, FOUR)), Table(FOUR, (GameResult((1, 2, 3, 4), absent=(3,)),))
    past = PastRounds(entries, (Round((table,)),), Settings(seats=4))
    assert past.scores == [120, 80, 40, 0]
    assert past.met[0] == {1: 1, 2: 1} and past.met[3] == {} and past.byes == [0] * 4


def test_who_comes_alone_has_had_a_bye() -> None:
    entries, table = tuple(map(Entry, FOUR)), Table(FOUR, (GameResult((1, 2, 2, 2), absent=(1, 2, 3)),))
    past = PastRounds(entries, (Round((table,)),), Settings(seats=4))
    assert past.scores == [120, 0, 0, 0] and past.byes == [1, 0, 0, 0] and past.seats[0] == (0,) * 6


def test_a_voided_table_gives_the_mean_and_they_may_meet_again() -> None:
    past = PastRounds(tuple(map(Entry, FOUR)), (Round((Table(FOUR),)),), Settings(seats=4))
    assert past.scores == [60] * 4 and past.met == [{}, {}, {}, {}]


def test_a_table_that_is_played_is_worth_nothing_yet() -> None:
    round = Round((Table(FOUR[:2], (GameResult((1, 2)),)), Table(FOUR[2:], running=True)))
    past = PastRounds(tuple(map(Entry, FOUR)), (round,), Settings())
    assert past.scores == [120, 0, 0, 0] and past.met[2] == {}
    assert [row.points for row in standings(past.entries, past.history, past.settings)] == [120, 0, 0, 0]


def test_late_comers_and_rounds_sat_out_have_what_was_stated() -> None:
    entries = (Entry("a", joined=3, points=100), Entry("b", out=(1, 2)), Entry("c", left=2))
    assert PastRounds(entries, (Round(()), Round(())), Settings(absent="mean")).scores == [100, 120, 0]


@pytest.mark.parametrize(("players", "settings", "sizes"), [
    (61, {"seats": 4}, [4] * 13 + [3] * 3), (5, {"seats": 4}, [4]), (5, {"seats": 4, "most": 5}, [5]),
    (7, {"seats": 4}, [4, 3]), (2, {"seats": 4}, []), (2, {"seats": 4, "least": 2}, [2]), (9, {"seats": 2}, [2] * 4),
    (11, {"seats": 6}, [6, 5]), (13, {"seats": 6}, [6, 6]), (13, {"seats": 6, "least": 4}, [5, 4, 4]), (1, {}, []),
])  # fmt: skip
def test_tables_are_filled_evenly(players: int, settings: dict[str, Any], sizes: list[int]) -> None:
    assert table_sizes(players, Settings(**settings)) == sizes


def test_draws_are_fair_and_each_label_has_its_own() -> None:
    lots = RandomDraws(b"seed", "one")
    drawn = [lots.below(6) for _ in range(6000)]
    assert all(900 < drawn.count(face) < 1100 for face in range(6))
    assert RandomDraws(b"seed", "two").shuffled(range(20)) != RandomDraws(b"seed", "one").shuffled(range(20))
    assert sorted(RandomDraws(b"seed", "one").shuffled(range(20))) == list(range(20))
