"""The turn, buying, crumbling, the end and scoring, with the rulebooks' examples."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Action
from ludarium_engine.titles.valley_of_the_kings.cards import card_of
from ludarium_engine.titles.valley_of_the_kings.scoring import outcome, score
from tests.engine.valley_of_the_kings.scene import PYRAMID, table

BASTET = "statue_horus middle_sarcophagus hapi_jar statue_bastet weres_amulet heart_scarab_amulet"


def tomb(names: str) -> list[int]:
    words = names.split()
    return [card_of(word, words[:i].count(word)) for i, word in enumerate(words)]


# --- worked examples --------------------------------------------------------------------------------------------------
def test_bastet_is_bought_with_tyet_and_netherworld_and_the_change_is_lost() -> None:
    scene = table(hand="tyet_amulet book_netherworld urn", pyramid="statue_bastet - - - - -")
    scene.buy("statue_bastet", "tyet_amulet", "book_netherworld")
    scene.ends(discard="statue_bastet", played="tyet_amulet book_netherworld", hand="urn", bought=4)


def test_the_remover_chooses_what_falls_into_the_middle_of_the_base_and_the_apex_follows() -> None:
    scene = table(hand="statue_isis", pyramid=BASTET).buy("middle_sarcophagus", "statue_isis")
    assert scene.can("fall") == ["statue_bastet", "weres_amulet"]
    scene.pick("statue_bastet")
    scene.ends(pyramid="statue_horus statue_bastet hapi_jar heart_scarab_amulet weres_amulet -")


@pytest.mark.parametrize(
    "cards",
    [
        "shabti shabti shabti inner_sarcophagus statue_anubis statue_anubis statue_isis",
        "menial menial menial carpenter priest_thoth priest_thoth priest_sobek",
    ],
)
def test_the_rulebooks_scoring_examples_come_to_8(cards: str) -> None:
    assert score(tomb(cards)) == 8


def test_each_set_counts_the_square_of_its_different_cards() -> None:
    statues = [f"statue_{god}" for god in ("bastet", "anubis", "osiris", "thoth", "horus", "sobek", "isis")]
    assert [score(tomb(" ".join(statues[:n]))) for n in range(8)] == [0, 1, 4, 9, 16, 25, 36, 49]


def test_starters_and_uniques_count_what_is_printed_each_time() -> None:
    assert score(tomb("urn urn boat burial_mask")) == 1 + 1 + 3 + 5


# --- playing cards ----------------------------------------------------------------------------------------------------
def test_a_card_serves_one_purpose_only() -> None:
    scene = table(hand="statue_isis", pyramid="urn urn urn - - -").buy("urn", "statue_isis")
    assert scene.can("buy") == [] and scene.can("act") == []


def test_as_many_purchases_as_can_be_paid_and_the_discard_pile_gets_them_on_top() -> None:
    scene = table(hand="statue_isis statue_horus", pyramid="hapi_jar djed_amulet - - - -", discard="urn")
    scene.buy("hapi_jar", "statue_isis").refuses(0, Action("buy", (1, scene.s.hand[0][0])))
    assert scene.can("buy") == []
    scene.ends(discard="urn hapi_jar")


def test_only_the_base_is_for_sale() -> None:
    scene = table(hand="statue_isis statue_sobek")
    assert scene.can("buy") == ["0", "1", "2"]


def test_more_may_be_paid_than_the_card_costs_but_not_less() -> None:
    scene = table(hand="urn urn shabti", pyramid="urn - - - - -")
    scene.refuses(0, Action("buy", (0,)))
    scene.buy("urn", "urn", "urn", "shabti").ends(played="urn urn shabti", hand="")


def test_one_card_a_turn_is_entombed_and_effects_do_not_count() -> None:
    scene = table(hand="urn urn shabti statue_horus").entomb("urn")
    assert scene.can("entomb") == []
    scene.play("statue_horus").pick("urn").ends(tomb="urn urn")


def test_entombing_by_an_effect_leaves_the_turns_own() -> None:
    scene = table(hand="urn shabti statue_horus").play("statue_horus").pick("urn")
    scene.entomb("shabti").ends(tomb="urn shabti")


def test_cards_in_play_are_not_reshuffled_until_the_turn_ends() -> None:
    scene = table(hand="wall_painting urn", discard="shabti").play("wall_painting")
    scene.ends(hand="urn shabti", deck="", discard="", played="wall_painting")


# --- steps two to four ------------------------------------------------------------------------------------------------
def test_the_discard_order_is_the_players_choice() -> None:
    scene = table(hand="urn shabti kite", deck="box_of_food " * 5, pyramid="- - - - - -", boneyard="urn")
    scene.end("shabti", "urn")
    scene.ends(discard="kite shabti urn", hand="box_of_food " * 5)


def test_played_and_kept_cards_may_alternate_on_the_pile() -> None:
    scene = table(hand="statue_anubis urn shabti", deck="box_of_food " * 6, stock="urn")
    scene.play("statue_anubis").end("urn", "statue_anubis", "shabti").pick("statue_isis")
    scene.ends(discard="urn statue_anubis shabti")


def test_an_unchanged_pyramid_costs_a_card_and_the_rest_crumbles_before_it_is_refilled() -> None:
    scene = table(pyramid=PYRAMID, deck="urn " * 5, stock="boat mummified_cat", boneyard="urn").end()
    assert len(scene.can("sacrifice")) == 6
    scene.pick("statue_horus")
    scene.ends(pyramid="book_dead book_earth hapi_jar statue_isis weres_amulet mummified_cat", stock="boat")
    scene.ends(boneyard="urn statue_horus")
    assert scene.asked == [1]


def test_a_changed_pyramid_costs_nothing_and_is_refilled_from_the_base_left_to_right() -> None:
    scene = table(hand="urn", pyramid="urn - - - - -", deck="urn " * 5, stock="throne shabti kite boat")
    scene.buy("urn", "urn").end()
    scene.ends(pyramid="boat kite shabti throne - -", stock="")


def test_an_empty_pyramid_costs_nothing() -> None:
    assert table(pyramid="- - - - - -", deck="urn " * 5).end().asked == [1]


def test_the_lower_part_of_the_stock_comes_up_when_the_upper_one_is_empty() -> None:
    scene = table(pyramid="urn - - - - -", hand="urn", deck="urn " * 5, stock="boat", under="kite menial")
    scene.buy("urn", "urn").end().ends(pyramid="boat kite menial - - -", stock="", under="")


def test_a_new_hand_reshuffles_the_discard_pile_or_takes_what_there_is() -> None:
    table(hand="urn", deck="shabti", discard="kite", pyramid="- - - - - -").end().ends(hand="urn shabti kite", deck="")


# --- the end ----------------------------------------------------------------------------------------------------------
def test_the_game_ends_after_the_last_seat_of_the_round() -> None:
    scene = table(pyramid="- - - - - -", tomb="urn", tomb1="urn urn").end()
    assert scene.s.outcome is None
    assert scene.end().s.outcome == [2, 1]


def test_later_seats_still_play_with_an_empty_pyramid() -> None:
    scene = table(pyramid="- - - - - -", hand1="urn shabti").end().entomb("urn").end()
    assert scene.s.outcome == [2, 1]


def test_of_equal_points_the_smaller_tomb_wins_and_then_they_share() -> None:
    equal = table(tomb="mummified_cat", tomb1="shabti shabti")
    assert outcome(equal.s) == [1, 2]
    assert outcome(table(tomb="urn", tomb1="shabti").s) == [1, 1]


def test_when_only_swaps_happen_for_three_rounds_a_card_is_sacrificed_all_the_same() -> None:
    scene = table(hand="shabti", deck="urn " * 5, quiet_turns=6).play("shabti").way("exchange").pick("statue_horus", "hapi_jar")
    assert len(scene.end().can("sacrifice")) == 6
    calm = table(hand="shabti", deck="urn " * 5, quiet_turns=5).play("shabti").way("exchange").pick("statue_horus", "hapi_jar")
    assert calm.end().asked == [1]
