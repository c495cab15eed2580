"""Rulings that no other test covers."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import view
from ludarium_engine.titles.kemet import TITLE
from tests.engine.kemet.language import Desert, charge, hand_of, war
from tests.engine.kemet.test_night import night

STRONG, DAMAGE, PUSH, MIXED, PHALANX, RAID = hand_of(0)


@pytest.mark.parametrize("units", [4, 5])
def test_the_sanctuary_takes_one_sacrifice_a_day(units: int) -> None:
    d = night(Desert(4).troop(0, "SANCTUARY", units)).do(0, "sacrifice SANCTUARY")
    assert d.s.agenda[-1].script == "nightfall" and d.units("SANCTUARY") == (0, units - 2) and d.s.vp[0] == 1


def test_holy_war_pays_a_winner_of_whom_nobody_lives() -> None:
    d = charge(war(1, 2).tiles(0, "w3_holy_war").points(0, 0).cards(0, "war_rage", "war_rage"))
    d.do(0, f"fight {STRONG} {PUSH}", "war_rage", "war_rage").do(1, f"fight {MIXED} {PUSH}")
    assert d.told("battle") == [(0, 7, 1, 1, 4, 0)] and d.s.pp[0] == 4 and d.s.vp == [0, 0]


def test_prescience_shows_no_intervention_card() -> None:
    d = charge(war().tiles(1, "b3_prescience").cards(0, "war_rage", "iron_wall")).do(0, f"show {MIXED}")
    before = view(TITLE, d.s, 1)
    d.do(0, f"fight {MIXED} {PUSH}", "war_rage", "iron_wall")
    after = view(TITLE, d.s, 1)
    assert (after.di, after.hidden_help, after.fighting) == (before.di, before.hidden_help, before.fighting)
    assert d.do(1, f"fight {MIXED} {PUSH}").told("battle")[0][1] == 3 + 2 + 1


def test_a_troop_does_not_pass_through_a_space_where_it_would_be_too_many() -> None:
    d = Desert().troop(0, "A_front", 3).troop(0, "W_OBELISK", 3).tiles(0, "r1_god_speed").go(0, "act move", "lead A_front")
    assert not d.may(0, "step W_OBELISK")
    assert d.do(0, "carry 2 0").may(0, "step W_OBELISK")


def test_escape_ends_the_move_of_the_attacker() -> None:
    d = charge(war().tiles(0, "r1_god_speed").cards(1, "escape")).go(1, "escape escape", "flee B_front")
    assert d.s.agenda[-1].script == "turn" and d.units("T_SMALL_W") == (0, 3)


def test_divine_wound_is_used_once_after_the_cards_are_shown() -> None:
    d = charge(war().tiles(0, "r3_divine_wound").cards(0, "prayer", "veto")).fight(PHALANX, PHALANX)
    assert [d.names(d.s.fighting[seat]) for seat in (0, 1)] == [[PHALANX], [PHALANX]]
    d.do(0, "wound", "prayer")
    assert d.told("battle") and d.names(d.s.di[0]) == ["veto"]


def test_priest_of_ra_lowers_the_cost_of_a_raised_pyramid_once() -> None:
    d = Desert().pyramid("A_d1", "red", 1).tiles(0, "w4_priest_of_ra").points(0, 11).go(0, "act raise", "raise A_d1 4")
    assert d.s.pp[0] == 11 - (2 + 3 + 4 - 1)


def test_priest_of_ra_lowers_the_cost_of_every_card_of_a_turn() -> None:
    d = war(3, 2).tiles(0, "w4_priest_of_ra").points(0, 0).cards(0, "raining_fire", "raining_fire")
    d.go(0, "play raining_fire", "burn T_SMALL_W", "play raining_fire", "burn T_SMALL_W")
    assert d.s.pp[0] == 0 and d.units("T_SMALL_W") == (-1, 0)


def test_the_six_battle_cards() -> None:
    assert hand_of(0) == hand_of(1) == [
        "cavalry_blitz", "fervent_purge", "shield_push", "mixed_tactics", "phalanx_defense", "chariot_raid",
    ]  # fmt: skip
