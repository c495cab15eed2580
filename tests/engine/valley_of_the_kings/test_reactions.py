"""Windows in which other seats may react in a turn, for each card that reacts.

These cards are Boat, Mummified Cat, Offering Table, Medjay, Headrest and Physician.
"""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Action, legal_offers, view
from ludarium_engine.kernel.contract import set_preference
from ludarium_engine.kernel.scripts import windows
from ludarium_engine.titles.valley_of_the_kings import TITLE
from tests.engine.valley_of_the_kings.scene import PYRAMID, table

RICH = dict(deck1="urn urn urn", discard1="urn urn")
WARDS = ("offering_table", "medjay")


# --- wards ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ward", WARDS)
def test_a_ward_is_shown_and_stays_in_hand_for_the_next_effect(ward: str) -> None:
    scene = table(hand="duamutef_jar duamutef_jar", hand1=f"{ward} urn").play("duamutef_jar")
    assert scene.can("show") == [ward]
    scene.choose("show", ward).ends(hand1=f"{ward} urn", discard1="").play("duamutef_jar").choose("show", ward)
    scene.ends(hand1=f"{ward} urn")


@pytest.mark.parametrize("ward", WARDS)
def test_a_ward_need_not_be_shown_and_may_itself_be_given_up(ward: str) -> None:
    scene = table(hand="duamutef_jar", hand1=f"{ward} urn").play("duamutef_jar").several("discard", ward)
    scene.ends(hand1="urn", discard1=ward)


def test_a_ward_wards_off_three_discards_at_once() -> None:
    scene = table(hand="inner_sarcophagus", hand1="offering_table urn kite shabti").play("inner_sarcophagus")
    scene.choose("show", "offering_table").ends(hand1="offering_table urn kite shabti")


def test_a_ward_wards_off_a_sacrifice() -> None:
    scene = table(hand="qebehsenuef_jar", hand1="medjay urn", **RICH).play("qebehsenuef_jar").choose("show", "medjay")
    scene.ends(hand1="medjay urn", boneyard="")


def test_nobody_wards_off_their_own_action() -> None:
    scene = table(hand="inner_sarcophagus offering_table urn").play("inner_sarcophagus")
    assert scene.can("show") == []


def test_a_ward_does_not_guard_the_discard_pile() -> None:
    zones = dict(discard1="urn kite", hand1="offering_table", deck1="urn urn urn")
    table(hand="khopesh", **zones).play("khopesh").ends(boneyard="kite", hand1="offering_table")


def test_a_ward_is_no_action() -> None:
    assert table(hand="offering_table medjay boat mummified_cat headrest physician").can("act") == []


# --- Boat -------------------------------------------------------------------------------------------------------------
def test_boat_takes_a_base_card_after_the_crumble_and_the_pyramid_crumbles_again() -> None:
    scene = table(hand="statue_isis", hand1="boat urn").buy("statue_horus", "statue_isis")
    scene.ends(pyramid="book_dead book_earth hapi_jar statue_isis weres_amulet -")
    assert scene.can("boat", 1) == ["boat book_dead", "boat book_earth", "boat hapi_jar"]
    scene.react(1, "boat", "book_dead").ends(discard1="boat book_dead", hand1="urn", discard="statue_horus")
    assert scene.zone("pyramid")[0] != "book_dead"


def test_the_boats_player_chooses_what_falls() -> None:
    scene = table(hand="statue_isis", hand1="boat").buy("hapi_jar", "statue_isis").react(1, "boat", "book_earth")
    assert scene.asked == [1] and scene.can("fall") == ["book_dead", "statue_isis"]
    scene.pick("book_dead").ends(pyramid="statue_horus book_dead weres_amulet - statue_isis -")
    scene.ends(discard1="boat book_earth")


def test_a_boat_may_stay_in_hand_and_its_player_has_one_card_less_otherwise() -> None:
    scene = table(hand="statue_isis", hand1="boat urn").buy("statue_horus", "statue_isis").passes()
    scene.ends(hand1="boat urn")


def test_a_take_is_no_purchase() -> None:
    assert table(hand="statue_isis", hand1="boat").play("statue_isis").pick("hapi_jar").asked == [0]


def test_no_boat_sails_to_an_empty_base() -> None:
    scene = table(hand="statue_isis", hand1="boat", pyramid="statue_horus - - - - -")
    assert scene.buy("statue_horus", "statue_isis").asked == [0]


def test_a_boat_empties_the_base_and_the_turn_goes_on() -> None:
    scene = table(hand="statue_isis", hand1="boat", pyramid="statue_horus - hapi_jar - - -", stock="urn kite")
    scene.buy("statue_horus", "statue_isis").react(1, "boat", "hapi_jar").ends(pyramid="- - - - - -")
    scene.end().ends(pyramid="kite urn - - - -")


def test_a_boat_changes_the_pyramid_for_the_active_player() -> None:
    scene = table(hand="statue_isis", hand1="boat", deck="urn " * 5).buy("hapi_jar", "statue_isis")
    assert scene.react(1, "boat", "statue_horus").end().asked == [1]


# --- Mummified Cat ----------------------------------------------------------------------------------------------------
def test_the_cat_takes_what_an_opponent_sacrificed_after_the_pyramid_crumbled() -> None:
    scene = table(hand="shabti", hand1="mummified_cat", boneyard="urn").play("shabti").way("sacrifice").pick("statue_horus")
    assert scene.zone("pyramid")[0] == "book_dead"
    scene.react(1, "cat", "mummified_cat").ends(discard1="mummified_cat statue_horus", boneyard="urn", hand1="")


def test_the_cat_may_stay() -> None:
    scene = table(hand="shabti", hand1="mummified_cat").play("shabti").way("sacrifice").pick("statue_horus").passes()
    scene.ends(boneyard="statue_horus", hand1="mummified_cat")


def test_the_cat_finds_the_sacrifice_of_an_unchanged_pyramid() -> None:
    scene = table(hand1="mummified_cat", deck="urn " * 5, stock="kite").end().pick("hapi_jar")
    scene.react(1, "cat", "mummified_cat").ends(discard1="mummified_cat hapi_jar", boneyard="")


def test_the_cat_takes_no_card_that_its_owner_sacrificed() -> None:
    scene = table(hand="natron urn mummified_cat", deck="kite kite").play("natron").pick("urn")
    scene.ends(boneyard="urn", hand="mummified_cat kite kite")
    assert scene.asked == [0] and scene.can("cat") == []


def test_the_cat_works_in_ones_own_turn() -> None:
    scene = table(hand="qebehsenuef_jar mummified_cat", hand1="kite urn", **RICH).play("qebehsenuef_jar").pick("kite")
    assert scene.asked == [0]
    scene.react(0, "cat", "mummified_cat").ends(discard="mummified_cat kite", boneyard="")


def test_a_sacrificed_cat_cannot_help_itself() -> None:
    scene = table(hand="qebehsenuef_jar kite", hand1="mummified_cat urn", **RICH).play("qebehsenuef_jar")
    scene.pick("mummified_cat")
    assert scene.asked == [0]
    scene.ends(boneyard="mummified_cat")


def test_the_cat_is_asked_after_each_of_several_sacrifices() -> None:
    zones = dict(hand1="kite urn", hand2="menial shabti", deck2="urn urn urn urn")
    scene = table(3, hand="qebehsenuef_jar mummified_cat", **zones, **RICH).play("qebehsenuef_jar").pick("kite")
    assert {*scene.asked} == {0, 2}
    scene.passes().pick("menial").react(0, "cat", "mummified_cat").ends(discard="mummified_cat menial", boneyard="kite")


# --- Physician --------------------------------------------------------------------------------------------------------
def test_physician_saves_the_card_for_the_discard_pile_and_no_cat_is_asked() -> None:
    scene = table(hand="qebehsenuef_jar mummified_cat", hand1="kite physician", **RICH).play("qebehsenuef_jar")
    scene.pick("kite")
    assert scene.offered() == ["pass", "physician physician"]
    scene.react(1, "physician", "physician").ends(discard1="urn urn physician kite", boneyard="", hand1="")
    assert scene.asked == [0] and scene.can("cat") == []


def test_without_physician_the_card_is_buried_and_the_cat_may_have_it() -> None:
    scene = table(hand="qebehsenuef_jar mummified_cat", hand1="kite physician", **RICH).play("qebehsenuef_jar")
    scene.pick("kite").passes().react(0, "cat", "mummified_cat")
    scene.ends(discard="mummified_cat kite", boneyard="", hand1="physician")


def test_physician_saves_the_top_of_the_discard_pile() -> None:
    zones = dict(discard1="urn kite", hand1="physician", deck1="urn urn urn")
    scene = table(hand="khopesh", **zones).play("khopesh").react(1, "physician", "physician")
    scene.ends(discard1="urn physician kite", boneyard="")


def test_physician_does_not_heal_ones_own_sacrifice() -> None:
    scene = table(hand="natron urn physician", deck="kite kite").play("natron").pick("urn")
    scene.ends(boneyard="urn", hand="physician kite kite")


def test_a_sacrificed_physician_saves_nothing() -> None:
    scene = table(hand="qebehsenuef_jar", hand1="physician urn", **RICH).play("qebehsenuef_jar").pick("physician")
    assert scene.asked == [0] and scene.can("physician") == []
    scene.ends(boneyard="physician")


# --- Headrest ---------------------------------------------------------------------------------------------------------
def test_headrest_draws_two_after_the_whole_effect() -> None:
    scene = table(3, hand="duamutef_jar", hand1="headrest urn", hand2="kite", deck1="shabti menial boat")
    scene.play("duamutef_jar").several("discard", "urn").several("discard", "kite").react(1, "headrest", "headrest")
    scene.ends(hand1="menial boat", discard1="urn headrest")


def test_headrest_may_stay() -> None:
    scene = table(hand="duamutef_jar", hand1="headrest urn").play("duamutef_jar").several("discard", "urn").passes()
    scene.ends(hand1="headrest")


def test_headrest_does_not_answer_what_a_ward_kept_away() -> None:
    scene = table(hand="duamutef_jar", hand1="headrest offering_table").play("duamutef_jar")
    assert scene.choose("show", "offering_table").asked == [0]


def test_headrest_answers_a_sacrifice_too() -> None:
    scene = table(hand="qebehsenuef_jar", hand1="headrest urn", **RICH).play("qebehsenuef_jar").pick("urn")
    scene.react(1, "headrest", "headrest").ends(hand1="urn urn", discard1="urn urn headrest")


# --- windows reveal nothing -------------------------------------------------------------------------------------------
def test_holders_and_others_are_asked_alike() -> None:
    scene = table(4, hand="statue_isis", hand1="urn", hand2="boat", discard3="kite").buy("statue_horus", "statue_isis")
    assert scene.asked == [1, 2]
    assert scene.offered(1) == ["pass"] and len(scene.offered(2)) == 4


def test_no_window_opens_once_the_card_lies_in_the_open() -> None:
    for zone in ("played", "tomb1", "boneyard", "pyramid"):
        zones = {"pyramid": PYRAMID.replace("book_dead", "boat")} if zone == "pyramid" else {zone: "boat"}
        scene = table(hand="statue_isis", hand1="urn", **zones).buy("statue_horus", "statue_isis")
        assert scene.asked == [0], zone


def test_a_seat_that_always_passes_is_not_waited_for_and_nobody_is_told() -> None:
    scene = table(3, hand="statue_isis", hand1="urn", hand2="boat")
    scene.s = set_preference(TITLE, scene.s, 1, "boat", True)[0]
    assert view(TITLE, scene.s, 2).always_passes == [] == view(TITLE, scene.s, 0).always_passes
    scene.buy("statue_horus", "statue_isis")
    assert scene.asked == [2]


def test_a_cat_may_be_kept_back_for_another_kind_of_card() -> None:
    for kind, asked in (("urn", [0]), ("kite", [1])):
        scene = table(hand="natron urn", hand1="mummified_cat", deck="kite kite").play("natron")
        scene.s = set_preference(TITLE, scene.s, 1, f"cat:{kind}", True)[0]
        assert scene.pick("urn").asked == asked


def test_every_window_can_be_passed_always() -> None:
    assert {*windows(TITLE)} == {"boat", "cat", "yielded", "headrest"}


def test_the_earlier_of_two_takers_gets_the_card() -> None:
    scene = table(3, hand="natron urn", hand1="kite", hand2="mummified_cat", deck="kite kite").play("natron").pick("urn")
    scene.react(2, "cat", "mummified_cat").ends(discard2="mummified_cat urn")


def test_an_answer_may_be_replaced_until_the_last_one_has_come() -> None:
    scene = table(3, hand="statue_isis", hand1="boat", hand2="urn").buy("statue_horus", "statue_isis")
    scene.answer(1, Action("pass"))
    scene.answer(1, next(Action("boat", o.args) for o in legal_offers(TITLE, scene.s, 1) if o.verb == "boat")).passes()
    scene.ends(discard1="boat book_dead")


# --- contradictory cases ----------------------------------------------------------------------------------------------
def test_the_stock_runs_out_in_the_middle_of_a_refill() -> None:
    scene = table(hand="urn", pyramid="urn - - - - -", stock="kite shabti", deck="urn " * 5).buy("urn", "urn").end()
    scene.ends(pyramid="shabti kite - - - -", stock="")


def test_draws_from_an_empty_deck_and_an_empty_pile_are_left_out() -> None:
    table(hand="statue_osiris urn").play("statue_osiris").pick("urn").ends(hand="urn", discard="", deck="")


def test_a_cat_between_a_sacrifice_and_a_take() -> None:
    zones = dict(pyramid="statue_horus statue_isis - - - -", hand1="mummified_cat")
    scene = table(hand="engineer", **zones).play("engineer").forced().react(1, "cat", "mummified_cat")
    scene.forced().ends(discard="statue_horus", discard1="mummified_cat statue_isis")


def test_a_cat_between_two_parts_of_an_action() -> None:
    scene = table(hand="middle_sarcophagus urn kite", hand1="mummified_cat").play("middle_sarcophagus").pick("urn")
    scene.react(1, "cat", "mummified_cat").pick("kite").ends(tomb="kite", discard1="mummified_cat urn", boneyard="")
