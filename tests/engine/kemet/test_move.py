"""Moves step by step, with walls, harbours, teleports, units and creatures."""
from __future__ import annotations

import pytest

from tests.engine.kemet.language import Desert


def out(d: Desert, start: str = "A_front") -> Desert:
    return d.go(0, "act move", f"lead {start}")


# --- steps --------------------------------------------------------------------------------------------------------------
def test_a_troop_moves_one_space_along_the_edges() -> None:
    d = out(Desert().troop(0, "A_front", 3))
    assert d.choices(0, "step") == {"A_d1", "A_d2", "A_d3", "T_SMALL_W", "W_OBELISK", "W_GATE"}
    d.do(0, "step W_GATE")
    assert not d.choices(0, "step")
    d.do(0, "stop")
    assert d.units("W_GATE") == (0, 3) and d.s.turn == 1


def test_a_move_may_be_left_out_or_stopped_before_the_first_step() -> None:
    assert Desert().troop(0, "A_front", 3).go(0, "act move", "nothing").s.turn == 1
    assert out(Desert().troop(0, "A_front", 3)).do(0, "stop").units("A_front") == (0, 3)


@pytest.mark.parametrize("tiles, creature, reach", [
    ((), None, 1), (("r1_god_speed",), None, 2), ((), "royal_scarab", 3), ((), "phoenix", 2), ((), "giant_scorpion", 2),
    ((), "ancestral_elephant", 2), ((), "deep_desert_snake", 2), ((), "mummy", 2), ((), "sphinx", 1),
    (("r1_god_speed",), "royal_scarab", 4),
])  # fmt: skip
def test_how_far_it_goes(tiles: tuple[str, ...], creature: str | None, reach: int) -> None:
    d = out(Desert().troop(0, "A_front", 2, creature).tiles(0, *tiles))
    steps = 0
    while d.choices(0, "step"):
        d.do(0, "step W_OBELISK" if d.may(0, "step W_OBELISK") else "step A_front")
        steps += 1
    assert steps == reach


def test_a_creature_met_on_the_way_adds_no_movement() -> None:
    d = out(Desert().troop(0, "A_front", 2).troop(0, "W_OBELISK", 1, "royal_scarab")).do(0, "step W_OBELISK")
    assert not d.choices(0, "step") and d.may(0, "carry 3 1")


def test_a_harbour_crosses_the_nile_for_one_step() -> None:
    d = out(Desert(4).troop(0, "W_GATE", 2), "W_GATE")
    assert {"E_GATE", "SANCTUARY"} < d.choices(0, "step")


# --- units and creatures on the way ---------------------------------------------------------------------------------------
def test_units_may_stay_behind_and_others_be_picked_up_within_the_limit() -> None:
    d = out(Desert().troop(0, "A_front", 4).troop(0, "W_OBELISK", 2).tiles(0, "r1_god_speed"))
    assert not d.may(0, "step W_OBELISK")                   # four and two are more than five
    d.go(0, "carry 3 0", "step W_OBELISK", "carry 5 0", "step W_GATE", "stop")
    assert d.units("A_front") == (0, 1) and d.units("W_OBELISK") == (-1, 0) and d.units("W_GATE") == (0, 5)


def test_units_may_be_dropped_on_the_way() -> None:
    d = out(Desert().troop(0, "A_front", 4).tiles(0, "r1_god_speed"))
    d.go(0, "step T_SMALL_W", "carry 3 0", "step W_OBELISK", "stop")
    assert d.units("T_SMALL_W") == (0, 1) and d.units("W_OBELISK") == (0, 3) and d.s.held == [1, 0]


def test_who_goes_on_is_said_once_in_each_space() -> None:
    d = out(Desert().troop(0, "A_front", 3)).do(0, "carry 2 0")
    assert not d.choices(0, "carry")


def test_legion_troops_hold_seven() -> None:
    d = out(Desert().troop(0, "A_front", 5).troop(0, "W_OBELISK", 2).tiles(0, "b2_legion"))
    assert d.may(0, "step W_OBELISK")


def test_two_creatures_never_meet_in_one_space() -> None:
    d = out(Desert().troop(0, "A_front", 2, "phoenix").troop(0, "W_OBELISK", 1, "mummy"))
    assert not d.may(0, "step W_OBELISK")
    d.do(0, "carry 1 0")
    assert d.may(0, "step W_OBELISK")


def test_a_creature_may_stay_with_units_and_goes_home_without() -> None:
    d = out(Desert().troop(0, "A_front", 2, "phoenix")).go(0, "carry 1 0", "step W_GATE", "stop")
    assert d.creature("A_front") == ["phoenix"]
    d = out(Desert().troop(0, "A_front", 2, "phoenix").troop(0, "A_d2", 1)).go(0, "carry 2 0", "step W_GATE")
    assert d.offers(0) == ["deploy phoenix A_d2"]
    assert d.do(0, "deploy phoenix A_d2").creature("A_d2") == ["phoenix"]


# --- walls --------------------------------------------------------------------------------------------------------------
def test_a_foreign_district_is_entered_with_the_first_step_only() -> None:
    assert out(Desert().troop(0, "B_front", 3).tiles(0, "r1_god_speed"), "B_front").may(0, "step B_d1")
    d = out(Desert().troop(0, "W_GATE", 3).tiles(0, "r1_god_speed"), "W_GATE").do(0, "step B_front")
    assert not d.may(0, "step B_d1")


def test_inside_a_foreign_city_every_district_is_walled_and_leaving_is_free() -> None:
    d = out(Desert().troop(0, "B_front", 3).tiles(0, "r1_god_speed"), "B_front").do(0, "step B_d1")
    assert d.choices(0, "step") == {"B_front"}


def test_an_own_district_that_an_enemy_holds_is_walled_too() -> None:
    d = out(Desert().troop(0, "W_GATE", 3).troop(1, "A_d1", 1).tiles(0, "r1_god_speed"), "W_GATE").do(0, "step A_front")
    assert d.may(0, "step A_d2") and not d.may(0, "step A_d1")


@pytest.mark.parametrize("tile, creature", [("r2_open_gates", None), (None, "phoenix")])
def test_open_gates_and_phoenix_ignore_walls(tile: str | None, creature: str | None) -> None:
    d = Desert().troop(0, "W_GATE", 3, creature).tiles(0, "r1_god_speed", *([tile] if tile else []))
    assert out(d, "W_GATE").do(0, "step B_front").may(0, "step B_d1")


# --- teleports ------------------------------------------------------------------------------------------------------------
def test_from_a_pyramid_to_any_obelisk_for_two() -> None:
    d = out(Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1), "A_d1")
    assert d.choices(0, "teleport") == {"W_OBELISK", "T_SMALL_W", "T_MEDIUM_W", "T_ISLAND"}
    d.do(0, "teleport T_ISLAND")
    assert d.s.pp[0] == 3 and d.units("T_ISLAND") == (0, 3) and d.s.held == [1, 0]


def test_a_teleport_costs_no_movement_but_walls_are_shut_afterwards() -> None:
    d = out(Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).tiles(0, "r1_god_speed"), "A_d1").do(0, "teleport W_OBELISK")
    d.do(0, "step B_front")
    assert not d.may(0, "step B_d1") and d.may(0, "step W_GATE")


def test_stargate_and_priest_of_ra_make_it_cheaper() -> None:
    d = Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1)
    assert out(d.tiles(0, "r1_stargate"), "A_d1").do(0, "teleport W_OBELISK").s.pp[0] == 4
    d = Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).tiles(0, "r1_stargate", "w4_priest_of_ra")
    assert out(d, "A_d1").do(0, "teleport W_OBELISK").s.pp[0] == 5


def test_without_a_pyramid_or_the_points_there_is_none_and_teleport_serves_at_obelisks() -> None:
    assert not out(Desert().troop(0, "A_d1", 3), "A_d1").choices(0, "teleport")
    assert not out(Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).points(0, 1), "A_d1").choices(0, "teleport")
    assert not out(Desert().troop(0, "W_OBELISK", 3), "W_OBELISK").choices(0, "teleport")
    assert out(Desert().troop(0, "T_ISLAND", 3).tiles(0, "r2_teleport"), "T_ISLAND").may(0, "teleport T_SMALL_W")


def test_a_foreign_pyramid_that_one_holds_works() -> None:
    assert out(Desert().troop(0, "B_d1", 3).pyramid("B_d1", "red", 2), "B_d1").may(0, "teleport T_ISLAND")


def test_one_paid_teleport_a_move_unless_the_option_says_more() -> None:
    def jumped(**options: bool) -> Desert:
        d = Desert(**options).troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).tiles(0, "r2_teleport").points(0, 11)
        return out(d, "A_d1").do(0, "teleport W_OBELISK")
    assert not jumped().choices(0, "teleport")
    assert jumped(repeated_teleports=True).may(0, "teleport T_ISLAND")


def test_a_teleport_onto_an_enemy_is_an_attack() -> None:
    d = Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).troop(1, "T_ISLAND", 2)
    out(d, "A_d1").do(0, "teleport T_ISLAND")
    assert d.asked == [0, 1] and d.s.agenda[-1].script == "battle"


def test_no_teleport_into_a_full_own_troop() -> None:
    d = Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 1).troop(0, "T_ISLAND", 3)
    assert not out(d, "A_d1").may(0, "teleport T_ISLAND")


# --- control ------------------------------------------------------------------------------------------------------------
def test_points_of_a_temple_change_hands_with_the_troop() -> None:
    d = out(Desert().troop(0, "T_SMALL_W", 2), "T_SMALL_W")
    assert d.s.held == [1, 0]
    d.do(0, "step A_front")
    assert d.s.held == [0, 0]


def test_a_level_4_pyramid_counts_for_who_holds_the_district_and_for_its_owner_when_it_is_empty() -> None:
    d = Desert().pyramid("B_d1", "red", 4).troop(0, "B_front", 2)
    assert d.s.held == [0, 1]
    out(d, "B_front").do(0, "step B_d1")
    assert d.s.held == [1, 0]
    d.do(0, "stop").turn(0).go(0, "act move2", "lead B_d1", "step B_front")
    assert d.s.held == [0, 1]


def test_units_left_behind_stay_when_the_others_attack() -> None:
    d = out(Desert().troop(0, "A_front", 4).troop(1, "T_SMALL_W", 1)).go(0, "carry 3 0", "step T_SMALL_W")
    assert d.units("A_front") == (0, 1) and d.s.attackers == 3


def test_a_creature_that_an_attack_leaves_alone_is_in_reserve_at_once() -> None:
    d = Desert().troop(0, "A_front", 2, "phoenix").troop(0, "A_d1", 1).troop(1, "T_SMALL_W", 1)
    out(d).go(0, "carry 2 0", "step T_SMALL_W")
    assert d.s.agenda[-1].script == "battle" and d.names(d.s.stable[0]) == ["phoenix"]
