"""Actions on the board, such as prayers, pyramids, tiles and recruits."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Chance, checked_options, new_game
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.cards import HAND, ID, NAME, TILES
from ludarium_engine.titles.kemet.state import Kemet
from tests.engine.kemet.language import Desert, hand_of, war

ALL_BOXES = {"move", "recruit", "move2", "raise", "pray", "buy_white", "buy_red", "buy_blue", "pray3"}


# --- the board of actions -----------------------------------------------------------------------------------------------
def test_every_box_is_free_once_a_day() -> None:
    d = Desert()
    assert d.choices(0, "act") == ALL_BOXES
    d.do(0, "act pray")
    d.turn(0)
    assert d.choices(0, "act") == ALL_BOXES - {"pray"}


def test_each_row_needs_a_token_by_the_end_of_the_day() -> None:
    d = Desert()
    d.s.round, d.s.boxes[0] = 2, [4, 3]             # two tokens in the second row, three left for two empty rows
    assert "move2" in d.turn(0).choices(0, "act")
    d.s.round, d.s.boxes[0] = 3, [4, 3, 2]
    assert d.turn(0).choices(0, "act") == ALL_BOXES - {"move2", "raise", "pray"}
    d.s.round, d.s.boxes[0] = 4, [4, 3, 2, 0]
    assert d.turn(0).choices(0, "act") == {"buy_white", "buy_red", "buy_blue", "pray3"}


def test_a_silver_token_covers_its_row_and_may_be_used_before_or_after() -> None:
    d = Desert().tiles(0, "w4_act_of_god")
    d.s.round, d.s.boxes[0] = 4, [4, 3, 2, 0]
    d.turn(0).do(0, "silver pray3")
    assert d.choices(0, "act") == ALL_BOXES - {"move", "move2", "raise", "pray", "pray3"}  | {"recruit"}
    d.do(0, "act recruit").do(0, "muster 0")
    assert not d.choices(0, "silver") and d.s.turn == 1


def test_the_golden_token_moves_or_recruits_once_a_day() -> None:
    d = Desert().tiles(0, "b4_divine_will")
    assert d.choices(0, "gold") == {"0", "1"}
    d.do(0, "gold 1").do(0, "muster 0")
    assert not d.choices(0, "gold") and d.choices(0, "act") == ALL_BOXES


def test_silver_gold_and_ordinary_token_may_all_be_used_in_one_turn() -> None:
    d = Desert().tiles(0, "r4_act_of_god", "b4_divine_will")
    d.go(0, "act pray", "silver pray3", "gold 0", "nothing")
    assert d.s.pp[0] == 9 and d.s.turn == 1


def test_a_turn_ends_by_itself_when_nothing_can_be_left_to_do() -> None:
    assert Desert().do(0, "act pray").s.turn == 1
    assert Desert().cards(0, "escape").do(0, "act pray").s.turn == 0


# --- pray ---------------------------------------------------------------------------------------------------------------
def test_prayer_gives_two_and_a_priest_one_more_and_never_more_than_eleven() -> None:
    assert Desert().do(0, "act pray").s.pp[0] == 7
    assert Desert().tiles(0, "w1_priest").do(0, "act pray3").s.pp[0] == 8
    assert Desert().points(0, 10).do(0, "act pray").s.pp[0] == 11


# --- raise --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("before, after, cost", [(1, 2, 2), (1, 3, 5), (1, 4, 9), (2, 4, 7), (3, 4, 4)])
def test_raising_costs_every_level_reached(before: int, after: int, cost: int) -> None:
    d = Desert().pyramid("A_d1", "red", before).points(0, 11).go(0, "act raise", f"raise A_d1 {after}")
    assert d.s.pp[0] == 11 - cost and d.s.level[d.at("A_d1")] == after


def test_a_level_4_pyramid_is_a_temporary_point() -> None:
    d = Desert().pyramid("A_d1", "red", 3).points(0, 11).go(0, "act raise", "raise A_d1 4")
    assert d.s.held == [1, 0]


def test_a_new_pyramid_is_founded_in_a_free_district_of_the_city() -> None:
    d = Desert().pyramid("A_d1", "red", 1).pyramid("A_d2", "blue", 2).points(0, 1).do(0, "act raise")
    assert d.choices(0, "found") == {"A_d3 white 1"}
    d.do(0, "found A_d3 white 1")
    assert d.s.pp[0] == 0 and d.s.level[d.at("A_d3")] == 1


def test_slaves_take_one_off_each_level_and_priest_of_ra_one_off_the_sum() -> None:
    d = Desert().pyramid("A_d1", "red", 1).points(0, 11).tiles(0, "w2_slaves").go(0, "act raise", "raise A_d1 4")
    assert d.s.pp[0] == 11 - 6
    d = Desert().pyramid("A_d1", "red", 1).points(0, 11).tiles(0, "w2_slaves", "w4_priest_of_ra")
    assert d.go(0, "act raise", "raise A_d1 4").s.pp[0] == 11 - 5


def test_only_what_can_be_paid_is_offered_and_nothing_may_be_raised() -> None:
    d = Desert().pyramid("A_d1", "red", 1).pyramid("A_d2", "blue", 1).pyramid("A_d3", "white", 1).points(0, 2)
    d.do(0, "act raise")
    assert d.offers(0) == ["raise A_d1 2", "raise A_d2 2", "raise A_d3 2", "nothing"]
    assert d.do(0, "nothing").s.pp[0] == 2


def test_an_own_pyramid_that_an_enemy_holds_may_be_raised_unless_the_option_says_no() -> None:
    def held(**options: bool) -> Desert:
        return Desert(**options).pyramid("A_d1", "red", 1).troop(1, "A_d1", 1).do(0, "act raise")
    assert held().may(0, "raise A_d1 2")
    assert not held(raise_lost_pyramids=False).may(0, "raise A_d1 2")


def test_in_a_district_that_an_enemy_holds_one_may_found_unless_the_option_says_no() -> None:
    def lost(**options: bool) -> Desert:
        d = Desert(**options).pyramid("A_d1", "red", 1).pyramid("A_d2", "blue", 1)
        return d.troop(1, "A_d3", 2).do(0, "act raise")
    d = lost().do(0, "found A_d3 white 1")
    assert d.s.level[d.at("A_d3")] == 1 and d.units("A_d3") == (1, 2)
    assert not lost(raise_lost_pyramids=False).choices(0, "found")


def test_a_pyramid_founded_under_an_enemy_serves_the_enemy() -> None:
    d = Desert().pyramid("A_d1", "red", 1).troop(1, "A_d3", 2).do(0, "act raise").do(0, "found A_d3 white 1")
    d.turn(1).do(1, "act buy_white")
    assert d.may(1, "buy w1_priest")
    assert not d.turn(0).do(0, "act buy_white").may(0, "buy w1_priest")


def test_an_opponents_pyramid_that_one_holds_may_not_be_raised_unless_the_option_says_so() -> None:
    def taken(**options: bool) -> Desert:
        return Desert(**options).pyramid("B_d1", "red", 1).troop(0, "B_d1", 1).do(0, "act raise")
    assert not taken().may(0, "raise B_d1 2")
    assert taken(raise_captured_pyramids=True).may(0, "raise B_d1 2")


def test_beginners_raise_to_level_2_at_most() -> None:
    d = Desert(length="beginner").pyramid("A_d1", "red", 1).points(0, 11).do(0, "act raise")
    assert d.choices(0, "raise") == {"A_d1 2"}


# --- buy ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("level, may", [(1, False), (2, False), (3, True), (4, True)])
def test_shield_of_neith_needs_a_blue_pyramid_of_level_3_or_4_and_costs_3(level: int, may: bool) -> None:
    d = Desert().pyramid("A_d1", "blue", level).points(0, 5).do(0, "act buy_blue")
    assert d.may(0, "buy b3_shield_of_neith") is may
    if may:
        assert d.do(0, "buy b3_shield_of_neith").s.pp[0] == 2


def test_the_pyramid_must_have_the_colour_and_be_under_control() -> None:
    for d in (Desert().pyramid("A_d1", "red", 4), Desert().pyramid("A_d1", "blue", 4).troop(1, "A_d1", 1)):
        assert d.do(0, "act buy_blue").forced().told("buys_nothing") == [(0,)]
    assert Desert().pyramid("B_d1", "blue", 4).troop(0, "B_d1", 1).do(0, "act buy_blue").may(0, "buy b1_defense")


def test_priestess_and_priest_of_ra_make_tiles_cheaper() -> None:
    d = Desert().pyramid("A_d1", "red", 4).points(0, 4).tiles(0, "w1_priestess", "w4_priest_of_ra")
    assert d.go(0, "act buy_red", "buy r4_initiative").s.pp[0] == 2
    d = Desert().pyramid("A_d1", "red", 4).points(0, 0).tiles(0, "w1_priestess", "w4_priest_of_ra")
    assert d.go(0, "act buy_red", "buy r1_charge").s.pp[0] == 0


def test_nobody_owns_two_tiles_of_one_name() -> None:
    d = Desert().pyramid("A_d1", "red", 4).points(0, 11).tiles(0, "w3_victory_point", "w4_act_of_god", "r1_charge")
    d.do(0, "act buy_red")
    assert not d.choices(0, "buy") & {"r3_victory_point", "r4_act_of_god", "r1_charge"}


def test_every_tile_can_be_bought_once() -> None:
    for tile in TILES:
        colour = {"w": "white", "r": "red", "b": "blue"}[ID[tile][0]]
        d = Desert().pyramid("A_d1", colour, 4).points(0, 11).go(0, f"act buy_{colour}", f"buy {ID[tile]}")
        assert NAME[tile] in [NAME[mine] for mine in d.s.tiles[0]]
        assert d.s.pp[0] == 11 - int(ID[tile][1])


@pytest.mark.parametrize("tile", ["w3_victory_point", "r3_victory_point", "b3_victory_point", "b4_sphinx"])
def test_tiles_that_are_worth_a_point(tile: str) -> None:
    colour = {"w": "white", "r": "red", "b": "blue"}[tile[0]]
    d = Desert().pyramid("A_d1", colour, 4).points(0, 11).go(0, f"act buy_{colour}", f"buy {tile}")
    assert (d.s.vp, d.s.battle_vp) == ([1, 0], [0, 0])


def test_a_creature_joins_a_troop_in_the_city_at_once_or_waits() -> None:
    def bought() -> Desert:
        d = Desert().pyramid("A_d1", "blue", 4).points(0, 11).troop(0, "A_d2", 1).troop(0, "A_front", 1)
        return d.go(0, "act buy_blue", "buy b4_sphinx")
    assert bought().offers(0) == ["deploy sphinx A_d2", "keep_back"]
    assert bought().do(0, "deploy sphinx A_d2").creature("A_d2") == ["sphinx"]
    assert bought().do(0, "keep_back").names(bought().s.stable[0]) == ["sphinx"]


@pytest.mark.parametrize("tile, special", [
    ("r2_offensive_strategy", "offensive_strategy"), ("b2_defensive_strategy", "defensive_strategy"),
])  # fmt: skip
def test_a_special_battle_card_comes_for_one_of_all_six(tile: str, special: str) -> None:
    d = Desert().pyramid("A_d1", "red" if tile[0] == "r" else "blue", 2)
    first, second, third, *_ = hand_of(0)
    used, aside = d.s.hand[0].pop(0), d.s.hand[0].pop(0)
    d.s.used[0], d.s.aside[0] = [used], [aside]
    d.go(0, f"act buy_{'red' if tile[0] == 'r' else 'blue'}", f"buy {tile}")
    assert d.choices(0, "replace") == set(hand_of(0))
    d.do(0, f"replace {third}")
    assert {first, second, special} < {ID[card] for card in d.s.hand[0]}
    assert len(d.s.hand[0]) == HAND and d.names(d.s.out) == [third]


def test_beginners_buy_level_1_on_the_first_day_and_level_2_from_the_second_on() -> None:
    d = Desert(length="beginner")
    assert {ID[tile][1] for tile in d.s.market} == {"1"}
    assert set(levels_on_sale(second_day())) == {1, 2}


def second_day() -> Kemet:
    d = Desert(length="beginner")
    d.s.round = 4
    d.s.boxes = [[0, 1, 2, 3], [0, 1, 2, 3]]
    d.go(0, "act pray3").go(1, "act pray3")
    d.do(0, "name 0")
    return d.s


def levels_on_sale(s: Kemet) -> set[int]:
    return {int(ID[tile][1]) for tile in s.market}


# --- recruit ------------------------------------------------------------------------------------------------------------
def test_recruits_cost_one_each_and_go_to_districts_of_the_city() -> None:
    d = Desert().points(0, 3).do(0, "act recruit")
    assert d.choices(0, "muster") == {"0", "1", "2", "3"}
    d.go(0, "muster 3", "place A_d1 2", "place A_d3 1")
    assert d.units("A_d1") == (0, 2) and d.units("A_d3") == (0, 1) and d.s.pp[0] == 0 and d.s.reserve[0] == 9


def test_a_troop_holds_five_and_with_legion_seven() -> None:
    assert "A_d1 5" in Desert().points(0, 11).go(0, "act recruit", "muster 8").choices(0, "place")
    assert "A_d1 6" not in Desert().points(0, 11).go(0, "act recruit", "muster 8").choices(0, "place")
    assert "A_d1 7" in Desert().points(0, 11).tiles(0, "b2_legion").go(0, "act recruit", "muster 8").choices(0, "place")


def test_no_more_are_mustered_than_there_is_room_for() -> None:
    d = Desert().troop(0, "A_d1", 5).troop(0, "A_d2", 4).troop(1, "B_d1", 1).points(0, 11)
    d.s.units[d.at("A_d3")], d.s.holder[d.at("A_d3")] = 1, 0
    d.s.reserve[0] -= 1
    assert d.counted().do(0, "act recruit").choices(0, "muster") == {"0", "1", "2"}


def test_the_scribe_brings_two_for_nothing() -> None:
    d = Desert().points(0, 0).tiles(0, "b1_recruiting_scribe").do(0, "act recruit")
    assert d.choices(0, "muster") == {"0", "1", "2"}


def test_priest_of_ra_takes_one_off_recruiting_unless_the_option_says_no() -> None:
    assert "2" in Desert().points(0, 1).tiles(0, "w4_priest_of_ra").do(0, "act recruit").choices(0, "muster")
    d = Desert(ra_discounts_recruiting=False).points(0, 1).tiles(0, "w4_priest_of_ra").do(0, "act recruit")
    assert "2" not in d.choices(0, "muster")


def test_recruiting_into_an_occupied_district_is_an_attack_after_all_are_placed() -> None:
    d = Desert().troop(1, "A_d1", 1).points(0, 11).go(0, "act recruit", "muster 5", "place A_d1 4", "place A_d2 1")
    d.forced().fight("cavalry_blitz", "chariot_raid")
    assert d.s.battle_vp == [1, 0] and d.units("A_d1") == (0, 1)


def test_the_recruiter_chooses_the_order_of_several_battles_and_beaten_recruits_leave() -> None:
    d = Desert().troop(1, "A_d1", 5).troop(1, "A_d2", 1).points(0, 11)
    d.go(0, "act recruit", "muster 4", "place A_d1 1", "place A_d2 3")
    assert d.choices(0, "storm") == {"A_d1", "A_d2"}
    d.do(0, "storm A_d1").fight("phalanx_defense", "phalanx_defense").do(0, "retreat")
    assert d.choices(1, "send") == {"A_front", "A_d3"}
    d.go(1, "send A_d3", "stay").forced()
    assert d.told("attacks")[-1][2] == d.at("A_d2")


def test_the_holder_of_a_foreign_district_cannot_recruit_there() -> None:
    d = war().troop(0, "B_d1", 1).points(0, 11).go(0, "act recruit", "muster 2")
    assert not any(words.startswith("B_") for words in d.choices(0, "place"))


def test_creatures_in_reserve_join_troops_in_the_city_while_recruiting() -> None:
    d = Desert().troop(0, "A_d1", 1)
    d.s.wild.remove(phoenix := next(card for card in d.s.wild if ID[card] == "phoenix"))
    d.s.stable[0].append(phoenix)
    d.go(0, "act recruit", "muster 1", "place A_d2 1")
    assert d.offers(0) == ["deploy phoenix A_d1", "deploy phoenix A_d2", "nothing"]
    assert d.do(0, "deploy phoenix A_d2").creature("A_d2") == ["phoenix"]


# --- setup --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_five_points_a_card_and_six_battle_cards(seats: int) -> None:
    s, _ = new_game(TITLE, checked_options(TITLE, {}, seats), seats, Chance(bytes(32)))
    assert s.pp == [5] * seats and [len(hand) for hand in s.di] == [1] * seats and [len(hand) for hand in s.hand] == [6] * seats
    assert sorted(s.order) == [*range(seats)]


def test_the_first_night_leaves_seven_points_and_two_cards() -> None:
    d = Desert()
    d.s, _ = new_game(TITLE, checked_options(TITLE, {}, 2), 2, Chance(bytes(32)))
    first, second = d.s.order
    d.do(first, "city 0").forced(second)
    d.go(first, "found A_d1 red 2", "found A_d2 blue 1")
    d.go(second, "found B_d1 red 1", "found B_d2 blue 1").forced(second).forced(first)
    assert (d.units("A_d1"), d.units("A_d2")) == ((first, 5), (first, 5)) and len(d.offers(second)) == 21
    d.do(second, "garrison 2 3 5")
    assert d.s.pp == [7, 7] and [len(hand) for hand in d.s.di] == [2, 2] and d.s.reserve == [2, 2]
    assert d.s.turn == first and d.s.day == 1


def test_three_levels_are_two_and_one_or_three_times_one() -> None:
    d = Desert()
    d.s, _ = new_game(TITLE, checked_options(TITLE, {}, 2), 2, Chance(bytes(32)))
    first, second = d.s.order
    d.do(first, "city 0").forced(second)
    assert {words[-1] for words in d.choices(first, "found")} == {"1", "2"}
    d.do(first, "found A_d1 red 2")
    assert d.choices(first, "found") == {f"{space} {colour} 1" for space in ("A_d2", "A_d3") for colour in ("white", "blue")}
