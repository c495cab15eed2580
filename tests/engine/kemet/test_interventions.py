"""Intervention cards outside battle, vetoes, and vetoes against vetoes."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import clone, legal_offers, redact_event, view
from ludarium_engine.kernel.contract import set_preference
from ludarium_engine.kernel.facts import AnyFact
from ludarium_engine.kernel.table import Table
from ludarium_engine.titles.kemet import TITLE
from tests.engine.kemet.language import Desert, charge, war


def quiet(d: Desert) -> Desert:
    """Let all seats pass that are asked whether they play a Veto."""
    while d.s.agenda[-1].script == "announcement":
        for seat in d.asked:
            d.do(seat, "pass")
    return d


# --- effects ------------------------------------------------------------------------------------------------------------
def test_prayer_gives_two_and_priest_adds_by_option_only() -> None:
    assert Desert().cards(0, "prayer").do(0, "play prayer").s.pp[0] == 7
    assert Desert().cards(0, "prayer").tiles(0, "w1_priest").do(0, "play prayer").s.pp[0] == 7
    assert Desert(prayer_with_priest=True).cards(0, "prayer").tiles(0, "w1_priest").do(0, "play prayer").s.pp[0] == 8


def test_mana_theft_takes_one_from_everybody_who_has_any_and_gives_one() -> None:
    d = Desert(3).cards(0, "mana_theft").points(1, 0).points(2, 4).do(0, "play mana_theft")
    assert d.s.pp == [6, 0, 3]


def test_raining_fire_costs_one_and_destroys_one_enemy_unit_anywhere() -> None:
    d = war(3, 1).troop(1, "B_d1", 2).cards(0, "raining_fire").do(0, "play raining_fire")
    assert d.choices(0, "burn") == {"T_SMALL_W", "B_d1"}
    d.do(0, "burn T_SMALL_W")
    assert d.units("T_SMALL_W") == (-1, 0) and d.s.held == [0, 0] and d.s.pp[0] == 4


def test_a_creature_whose_last_unit_burns_goes_home() -> None:
    d = war(3, 1).troop(1, "B_d1", 2).cards(0, "raining_fire")
    d.s.creatures[d.at("T_SMALL_W")].append(d.s.wild.pop())
    d.go(0, "play raining_fire", "burn T_SMALL_W")
    assert d.asked == [1] and d.s.agenda[-1].script == "homecoming"


def test_without_an_enemy_raining_fire_is_wasted() -> None:
    d = Desert().cards(0, "raining_fire").do(0, "play raining_fire")
    assert d.s.agenda[-1].script == "turn" and d.names(d.s.di_discards) == ["raining_fire"]


def test_enlistment_places_two_with_troops_anywhere_or_in_the_city() -> None:
    d = Desert().troop(0, "T_ISLAND", 1).cards(0, "enlistment").do(0, "play enlistment")
    d.go(0, "place T_ISLAND 1", "place A_d2 1")
    assert d.units("T_ISLAND") == (0, 2) and d.units("A_d2") == (0, 1) and d.s.pp[0] == 5
    assert Desert().cards(0, "enlistment").go(0, "play enlistment", "rest").s.reserve[0] == 12


def test_enlistment_into_an_occupied_own_district_is_an_attack() -> None:
    d = Desert().troop(1, "A_d1", 1).cards(0, "enlistment").go(0, "play enlistment", "place A_d1 2").forced()
    assert d.s.agenda[-1].script == "battle"


def test_swiftness_teleportation_and_open_gates_serve_during_a_move() -> None:
    d = Desert().troop(0, "W_GATE", 3).cards(0, "swiftness", "open_gates_di", "teleportation")
    assert not d.choices(0, "play")
    d.go(0, "act move", "lead W_GATE")
    assert d.choices(0, "play") == {"swiftness", "open_gates_di", "teleportation"}
    d.go(0, "play swiftness", "step B_front")
    assert d.choices(0, "step") and not d.may(0, "step B_d1")
    d.do(0, "play open_gates_di")
    assert d.may(0, "step B_d1") and d.s.pp[0] == 4
    d.do(0, "play teleportation")
    assert d.s.pp[0] == 3 and d.may(0, "teleport T_ISLAND")
    d.do(0, "teleport T_ISLAND")
    assert d.s.pp[0] == 3 and not d.choices(0, "teleport")
    assert d.do(0, "stop").units("T_ISLAND") == (0, 3)


def test_cards_that_cannot_be_paid_are_not_offered_and_priest_of_ra_helps() -> None:
    assert not war().cards(0, "raining_fire").points(0, 0).turn(0).choices(0, "play")
    assert war().cards(0, "raining_fire").points(0, 0).tiles(0, "w4_priest_of_ra").turn(0).choices(0, "play")


def test_any_number_of_cards_before_and_after_an_action() -> None:
    d = Desert().cards(0, "prayer", "prayer").go(0, "play prayer", "act buy_white", "play prayer")
    assert d.s.pp[0] == 9


# --- vetoes -------------------------------------------------------------------------------------------------------------
def test_a_veto_cancels_a_card_and_its_cost_is_lost() -> None:
    d = war().cards(0, "raining_fire").cards(1, "veto", "prayer").do(0, "play raining_fire")
    assert d.asked == [1] and d.offers(1) == ["veto veto", "pass"]
    d.do(1, "veto veto")
    assert d.s.agenda[-1].script == "turn" and d.s.pp[0] == 4 and d.units("T_SMALL_W") == (1, 3)
    assert d.names(d.s.di_discards) == ["raining_fire", "veto"] and d.told("cancels")


def test_a_veto_may_be_declined() -> None:
    d = Desert().cards(0, "prayer").cards(1, "veto").do(0, "play prayer").do(1, "pass")
    assert d.s.pp[0] == 7 and d.names(d.s.di[1]) == ["veto"]


def test_a_veto_may_be_vetoed() -> None:
    d = Desert().cards(0, "prayer", "veto").cards(1, "veto", "war_rage").go(0, "play prayer").do(1, "veto veto")
    assert d.asked == [0]
    d.do(0, "veto veto")
    assert d.s.pp[0] == 7 and len(d.s.di_discards) == 3 and d.s.agenda[-1].script == "turn"


def test_a_vetoed_veto_in_the_middle_is_the_same_data_when_stored() -> None:
    d = Desert().cards(0, "prayer", "veto").cards(1, "veto").go(0, "play prayer").do(1, "veto veto")
    d.s = clone(d.s)
    d.do(0, "veto veto")
    assert d.s.pp[0] == 7


def test_the_first_in_turn_order_after_the_player_vetoes_the_other_keeps_his_unseen() -> None:
    def vetoed(other: str) -> list[AnyFact]:
        """Return seat 0's facts after this answer of seat 2 and a veto of seat 1."""
        d = Desert(3).cards(0, "prayer").cards(1, "veto").cards(2, "veto").turn(0).go(0, "play prayer").do(2, other)
        assert not d.s.di_discards
        d.do(1, "veto veto")
        assert d.s.announced and d.names(d.s.di[2]) == ["veto"] and d.told("stays_secret") == [(2,)]
        return redact_event(TITLE.layout, d.events[-1], 0).facts

    assert vetoed("veto veto") == vetoed("pass")


# --- windows reveal nothing ---------------------------------------------------------------------------------------------
def test_whoever_holds_cards_is_asked_alike() -> None:
    d = Desert(4).cards(0, "prayer").cards(1, "veto").cards(2, "war_rage").do(0, "play prayer")
    assert d.asked == [1, 2] and d.offers(2) == ["pass"]
    assert view(TITLE, d.s, 3).agenda[-1].asked == (1, 2)


def test_nobody_is_asked_when_all_copies_lie_open() -> None:
    d = Desert().cards(0, "prayer").cards(1, "war_rage")
    vetoes = [card for card in d.s.di_deck if d.names([card]) == ["veto"]]
    for card in vetoes:
        d.s.di_deck.remove(card)
        d.s.di_discards.append(card)
    assert d.do(0, "play prayer").s.pp[0] == 7


def test_who_always_passes_has_answered_as_the_window_opens() -> None:
    d = Desert().cards(0, "prayer").cards(1, "veto")
    d.s, event = set_preference(TITLE, d.s, 1, "announcement", True)
    assert not redact_event(TITLE.layout, event, 0).facts
    assert d.do(0, "play prayer").s.pp[0] == 7


def test_a_seat_may_pass_for_one_kind_of_card_or_for_this_turn() -> None:
    d = Desert(3).cards(0, "prayer", "mana_theft").cards(1, "veto").cards(2, "veto")
    d.s, _ = set_preference(TITLE, d.s, 1, "announcement:prayer", True)
    d.s, _ = set_preference(TITLE, d.s, 2, "announcement@turn", True)
    assert d.do(0, "play prayer").s.pp[0] == 7                      # no seat is asked
    assert d.do(0, "play mana_theft").asked == [1]
    d.do(1, "pass")
    t = Table(TITLE, d.s, d.chance)
    t.pass_turn(1)
    assert d.s.always_passes == [(1, "announcement:prayer")]


# --- escape -------------------------------------------------------------------------------------------------------------
def test_escape_leaves_the_space_to_the_attacker_without_a_battle() -> None:
    d = charge(war().cards(1, "escape", "prayer"))
    assert d.offers(1) == ["escape escape", "pass"]
    d.do(1, "escape escape")
    quiet(d)
    assert d.choices(1, "flee") == {"W_OBELISK", "A_front", "B_front"}
    d.do(1, "flee B_front")
    assert d.units("B_front") == (1, 3) and d.units("T_SMALL_W") == (0, 3) and d.s.vp == [0, 0] and d.s.held == [1, 0]
    assert not d.s.marching and not d.told("battle")


def test_escape_may_be_declined_and_holders_and_others_are_asked_alike() -> None:
    assert charge(war().cards(1, "escape")).do(1, "pass").s.agenda[-1].script == "battle"
    assert charge(war().cards(1, "veto")).offers(1) == ["pass"]


def test_escape_may_be_vetoed_and_then_there_is_a_battle() -> None:
    d = charge(war().cards(0, "veto").cards(1, "escape")).do(1, "escape escape").do(0, "veto veto")
    assert d.s.agenda[-1].script == "battle" and d.asked == [0, 1]


def test_escape_comes_before_initiative() -> None:
    d = charge(war().tiles(0, "r4_initiative").cards(1, "escape")).do(1, "escape escape").do(1, "flee B_front")
    assert d.units("B_front") == (1, 3)


def test_escape_does_not_lead_into_a_foreign_city_and_without_a_free_space_nobody_is_asked() -> None:
    d = Desert().troop(1, "A_front", 2).troop(0, "W_GATE", 3).cards(1, "escape").tiles(1, "r2_open_gates")
    d.go(0, "act move", "lead W_GATE", "step A_front").do(1, "escape escape")
    assert not {"A_d1", "A_d2", "A_d3"} & d.choices(1, "flee")
    d = Desert().troop(1, "T_ISLAND", 1).troop(0, "A_d1", 2).pyramid("A_d1", "red", 1).cards(1, "escape")
    d.go(0, "act move", "lead A_d1", "teleport T_ISLAND")
    assert d.s.agenda[-1].script == "battle"


@pytest.mark.parametrize("seat", [0, 1])
def test_no_veto_and_no_escape_while_cards_are_chosen_for_battle(seat: int) -> None:
    d = charge(war().cards(seat, "veto")) if seat == 0 else charge(war().cards(seat, "veto")).do(1, "pass")
    assert {offer.verb for offer in legal_offers(TITLE, d.s, seat)} == {"fight"}
    assert not d.offer(seat, d.offers(seat)[0]).pool
