"""The night, the turn order, temples, sacrifices and the end of the game."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel.facts import Shuffled
from tests.engine.kemet.language import Desert


def night(d: Desert) -> Desert:
    """Place the last token of the day, for the seat that is last in order."""
    last = d.s.order[-1]
    d.s.round = 4
    d.s.boxes = [[0, 1, 2, 3] for _ in range(d.s.seats)]
    d.s.di, hands = [[] for _ in range(d.s.seats)], d.s.di
    d.s.di_deck = [card for hand in hands for card in hand] + d.s.di_deck
    return d.turn(last).do(last, "act pray3")


# --- prayer points and cards --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("tiles, points", [
    ((), 2), (("w2_high_priest",), 4), (("w4_priest_of_amon",), 7), (("w2_high_priest", "w4_priest_of_amon"), 9),
])  # fmt: skip
def test_prayer_points_of_the_night(tiles: tuple[str, ...], points: int) -> None:
    assert night(Desert().points(0, 1).tiles(0, *tiles)).s.pp[0] == 1 + points


def test_all_is_added_before_it_is_cut_to_eleven() -> None:
    assert night(Desert().points(0, 8).tiles(0, "w4_priest_of_amon")).s.pp[0] == 11


@pytest.mark.parametrize("tiles, cards", [((), 1), (("w2_divine_boon",), 2), (("w2_divine_boon", "w4_mummy"), 3)])
def test_cards_of_the_night(tiles: tuple[str, ...], cards: int) -> None:
    assert len(night(Desert().tiles(0, *tiles)).s.di[0]) == cards


def test_an_empty_pile_is_made_anew_from_the_discards_and_two_empty_ones_give_nothing() -> None:
    d = Desert()
    d.s.di_deck, d.s.di_discards = [], d.s.di_deck
    assert [len(hand) for hand in night(d).s.di] == [1, 1] and len(d.s.di_deck) == 33
    d = Desert(3)
    d.s.di_deck, d.s.looking[0] = d.s.di_deck[:1], d.s.di_deck[1:]
    assert [len(hand) for hand in night(d).s.di] == [1, 0, 0]


# --- night tiles --------------------------------------------------------------------------------------------------------
def test_hand_of_god_raises_one_pyramid_for_nothing() -> None:
    d = night(Desert().tiles(0, "w3_hand_of_god").pyramid("A_d1", "red", 2).points(0, 0))
    assert d.asked == [0] and "bless A_d1" in d.offers(0)
    d.do(0, "bless A_d1")
    assert d.s.level[d.at("A_d1")] == 3 and d.s.pp[0] == 2


def test_hand_of_god_may_found_a_pyramid_or_be_declined() -> None:
    d = night(Desert().tiles(0, "w3_hand_of_god").pyramid("A_d1", "red", 4))
    assert not d.choices(0, "bless") and d.may(0, "bless_new A_d2 blue")
    assert night(Desert().tiles(0, "w3_hand_of_god")).do(0, "bless_new A_d2 blue").s.level[d.at("A_d2")] == 1
    assert d.do(0, "sleep").s.level[d.at("A_d2")] == 0


def test_vision_keeps_one_of_five_cards_beyond_the_ordinary_one() -> None:
    d = night(Desert().tiles(0, "w3_vision")).do(0, "look")
    assert len(d.s.looking[0]) == 5 == len(d.offers(0))
    kept = d.offers(0)[0]
    d.do(0, kept)
    assert len(d.s.di[0]) == 2 and not d.s.looking[0] and len(d.s.di_deck) == 35 - 3


def test_vision_shuffles_the_very_cards_back_that_were_not_kept() -> None:
    d = night(Desert().tiles(0, "w3_vision")).do(0, "look")
    seen, before = set(d.s.looking[0]), [*d.s.di_deck]
    d.do(0, d.offers(0)[0])
    (kept,) = seen & set(d.s.di[0])
    assert set(d.s.di_deck) == {*before} | seen - {kept}
    assert [card for card in d.s.di_deck if card in before] != before, "the whole pile is shuffled"
    assert any(isinstance(fact, Shuffled) for fact in d.events[-1].facts)


def test_vision_sees_fewer_cards_where_there_are_fewer() -> None:
    d = Desert().tiles(0, "w3_vision")
    d.s.di_discards, d.s.di_deck = [*d.s.di_deck[:2]], [*d.s.di_deck[2:5]]
    d = night(d).do(0, "look")                  # two cards were drawn for the night
    assert len(d.s.looking[0]) == 3 and not d.s.di_deck and not d.s.di_discards
    assert len(d.do(0, d.offers(0)[0]).s.di_deck) == 2


def test_vision_may_be_declined() -> None:
    assert len(night(Desert().tiles(0, "w3_vision")).do(0, "sleep").s.di[0]) == 1


def test_reinforcements_place_up_to_four_with_troops_or_in_the_city_but_start_no_battle() -> None:
    d = night(Desert().tiles(0, "b4_reinforcements").troop(0, "T_SMALL_W", 1).troop(1, "A_d1", 1)).do(0, "reinforce")
    assert {words.split()[0] for words in d.choices(0, "place")} == {"A_d2", "A_d3", "T_SMALL_W"}
    d.go(0, "place T_SMALL_W 1", "place A_d2 2", "rest")
    assert d.units("T_SMALL_W") == (0, 2) and d.units("A_d2") == (0, 2) and d.s.mustered == 0


def test_reinforcements_may_be_declined() -> None:
    assert night(Desert().tiles(0, "b4_reinforcements")).do(0, "sleep").s.reserve[0] == 12


def test_several_night_tiles_are_used_in_any_order_seat_after_seat() -> None:
    d = Desert().tiles(0, "w3_vision", "b4_reinforcements").tiles(1, "w3_hand_of_god")
    d = night(d)
    assert d.asked == [0] and {"look", "reinforce"} < set(d.offers(0))
    d.go(0, "reinforce", "rest", "look")
    d.do(0, d.offers(0)[0])
    assert d.asked == [1]


# --- the order ----------------------------------------------------------------------------------------------------------
def test_who_has_fewest_points_names_the_whole_order() -> None:
    d = night(Desert(3).points(0, 5, 3).points(1, 5, 1).points(2, 5, 2))
    assert d.asked == [1]
    d.go(1, "name 2", "name 1")
    assert d.s.order == [2, 1, 0] and d.s.turn == 2


def test_temporary_points_count_and_ties_go_to_who_was_earlier() -> None:
    d = Desert(3).points(0, 5, 1).troop(1, "T_MEDIUM_W", 1)
    d.s.order = [2, 1, 0]
    assert night(d).asked == [2]
    d = Desert(3).troop(2, "T_MEDIUM_W", 1).troop(0, "T_SMALL_W", 1)
    assert night(d).asked == [1]


# --- the end of a day ---------------------------------------------------------------------------------------------------
def test_temples_pay_two_and_three() -> None:
    d = night(Desert().points(0, 0).troop(0, "T_SMALL_W", 1))
    assert d.s.pp[0] == 2 + 2
    d = night(Desert().points(0, 0).troop(0, "T_MEDIUM_W", 1))
    assert d.s.pp[0] == 3 + 2


def test_two_temples_or_more_are_one_permanent_point() -> None:
    assert night(Desert().troop(0, "T_SMALL_W", 1)).s.vp == [0, 0]
    assert night(Desert().troop(0, "T_SMALL_W", 1).troop(0, "T_MEDIUM_W", 1)).s.vp == [1, 0]
    d = Desert().troop(0, "T_SMALL_W", 1).troop(0, "T_MEDIUM_W", 1).troop(0, "T_ISLAND", 1)
    assert night(d).do(0, "spare T_ISLAND").s.vp == [1, 0]


def test_the_sanctuary_is_no_temple() -> None:
    d = Desert(4).troop(0, "SANCTUARY", 1).troop(0, "T_SMALL_W", 1)
    assert d.s.held[0] == 1 and night(d).s.vp[0] == 0


def test_the_island_pays_five_for_a_unit_once_a_day() -> None:
    d = night(Desert().points(0, 0).troop(0, "T_ISLAND", 2))
    assert d.offers(0) == ["sacrifice T_ISLAND", "spare T_ISLAND"]
    d.do(0, "sacrifice T_ISLAND")
    assert d.s.pp[0] == 5 + 2 and d.units("T_ISLAND") == (0, 1)


def test_the_last_unit_may_be_sacrificed_and_the_point_goes_unless_the_option_says_no() -> None:
    d = night(Desert().troop(0, "T_ISLAND", 1))
    assert d.s.held == [1, 0]
    d.do(0, "sacrifice T_ISLAND")
    assert d.s.held == [0, 0] and d.units("T_ISLAND") == (-1, 0)
    assert night(Desert(last_unit_sacrifice=False).troop(0, "T_ISLAND", 1)).s.agenda[-1].script == "nightfall"


def test_two_units_in_the_sanctuary_are_a_permanent_point() -> None:
    assert "sacrifice SANCTUARY" not in night(Desert(4).troop(0, "SANCTUARY", 1)).offers(0)
    d = night(Desert(4).troop(0, "SANCTUARY", 3)).do(0, "sacrifice SANCTUARY")
    assert d.s.vp[0] == 1 and d.units("SANCTUARY") == (0, 1)
    assert night(Desert(4).troop(0, "SANCTUARY", 3)).do(0, "spare SANCTUARY").s.vp[0] == 0


def test_sacrifices_go_in_turn_order() -> None:
    d = Desert(4).troop(0, "SANCTUARY", 3).troop(1, "T_ISLAND", 3)
    d.s.order = [1, 0, 2, 3]
    d = night(d)
    assert d.asked == [1]
    assert d.do(1, "spare T_ISLAND").asked == [0]


def test_a_small_board_has_the_sanctuary_by_option_only() -> None:
    assert Desert(3).board.sanctuary < 0 <= Desert(3, sanctuary_small_boards=True).board.sanctuary
    d = Desert(2, sanctuary_small_boards=True).troop(0, "SANCTUARY", 2)
    assert night(d).do(0, "sacrifice SANCTUARY").s.vp == [1, 0]


# --- the end of the game ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("length, points", [("short", 8), ("long", 10), ("beginner", 4)])
def test_enough_points_at_the_end_of_a_day_end_the_game(length: str, points: int) -> None:
    assert night(Desert(length=length).points(0, 5, points - 1)).s.outcome is None
    assert night(Desert(length=length).points(1, 5, points)).s.outcome == [2, 1]


def test_the_most_points_win_then_battle_points_then_the_order() -> None:
    assert night(Desert(3).points(0, 5, 8).points(1, 5, 9)).s.outcome == [2, 1, 3]
    d = Desert(3).points(0, 5, 8).points(1, 5, 8)
    d.s.battle_vp[1] = 1
    assert night(d).s.outcome == [2, 1, 3]
    d = Desert(3).points(0, 5, 8).points(1, 5, 8)
    d.s.order = [2, 1, 0]
    assert night(d).s.outcome == [2, 1, 3]


def test_points_that_a_sacrifice_brings_count() -> None:
    assert night(Desert(4).points(0, 5, 7).troop(0, "SANCTUARY", 2)).do(0, "sacrifice SANCTUARY").s.outcome is not None


def test_after_max_days_the_points_rank_the_seats() -> None:
    assert night(Desert(3, max_days=1).points(0, 5, 2).points(2, 5, 3)).s.outcome == [2, 3, 1]


def test_by_option_who_leads_with_enough_points_wins_at_the_start_of_its_turn() -> None:
    d = Desert(win_check="start_of_turn").points(1, 5, 8).do(0, "act pray")
    assert d.s.outcome == [2, 1]
    d = Desert(win_check="start_of_turn").points(0, 5, 9).points(1, 5, 8).do(0, "act pray")
    assert d.s.outcome is None
    assert night(Desert(win_check="start_of_turn").points(0, 5, 8).points(1, 5, 8)).s.outcome is None


def test_tokens_return_every_day() -> None:
    d = night(Desert().tiles(0, "w4_act_of_god", "b4_divine_will"))
    d.do(0, "name 0")
    assert d.s.boxes == [[], []] and d.s.silver == [False, False] and len(d.choices(0, "act")) == len(BOXES)


BOXES = range(9)


def test_one_after_the_other_for_five_rounds() -> None:
    d = Desert()
    for _ in range(5):
        for seat in d.s.order:
            assert d.s.turn == seat and d.asked == [seat]
            box = next(box for box in ("buy_white", "pray", "recruit", "pray3", "raise") if box in d.choices(seat, "act"))
            d.do(seat, f"act {box}")
            if d.asked == [seat] and d.s.agenda[-1].script != "turn":
                d.do(seat, "muster 0" if d.may(seat, "muster 0") else "nothing")
    assert d.s.day == 1 and d.s.agenda[-1].script == "nightfall"
