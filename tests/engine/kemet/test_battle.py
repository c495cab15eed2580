"""Battles, step by step."""
from __future__ import annotations

from itertools import permutations

import pytest

from ludarium_engine.kernel import clone, redact_event, view
from ludarium_engine.kernel.facts import Moved, Unsealed
from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.cards import HAND, ID
from tests.engine.kemet.language import Desert, charge, hand_of, war

STRONG, DAMAGE, PUSH, MIXED, PHALANX, RAID = hand_of(0)


# --- choosing cards ---------------------------------------------------------------------------------------------------
def test_a_whole_battle_choice_is_one_command_of_two_cards_and_any_help() -> None:
    d = charge(war().cards(0, "war_rage", "war_fury", "prayer"))
    offers = d.offers(0)
    assert len(offers) == HAND * (HAND - 1)
    assert {ID[card] for card in d.offer(0, offers[0]).pool} == {"war_rage", "war_fury"}
    assert d.asked == [0, 1]


def test_what_one_side_chose_shows_to_nobody_until_the_other_has_chosen() -> None:
    d = charge(war().cards(0, "war_rage", "bronze_wall"))
    before = view(TITLE, d.s, 1)
    d.do(0, f"fight {STRONG} {PUSH}", "war_rage", "bronze_wall")
    after = view(TITLE, d.s, 1)
    assert (after.di, after.hand, after.hidden_help) == (before.di, before.hand, before.hidden_help)
    assert not redact_event(TITLE.layout, d.events[-1], 1).facts


def test_cards_are_revealed_together_and_help_is_paid_then() -> None:
    d = charge(war().points(0, 3).cards(0, "war_fury"))
    d.do(0, f"fight {PHALANX} {PUSH}", "war_fury")
    assert d.s.pp[0] == 3
    d.do(1, f"fight {PHALANX} {PUSH}")
    assert d.s.pp[0] == 2
    assert any(isinstance(fact, Unsealed) for fact in d.events[-1].facts)


def test_the_card_set_aside_stays_secret_and_the_used_one_does_not() -> None:
    d = charge(war()).fight(STRONG, STRONG)
    moves = [fact for fact in redact_event(TITLE.layout, d.events[-1], 1).facts if isinstance(fact, Moved)]
    aside = next(fact for fact in moves if fact.dst >> 6 == field("aside") and fact.dst & 63 == 1)
    assert aside.cards == (UNKNOWN,)
    assert d.names(d.s.used[0]) == [STRONG]


def field(name: str) -> int:
    return [f.name for f in TITLE.layout.fields].index(name)


def test_no_more_help_than_can_be_paid() -> None:
    d = charge(war().points(0, 1).cards(0, "war_fury", "blood_bath", "war_rage"))
    offer = d.offer(0, f"fight {STRONG} {PUSH}")
    assert offer.most == 1 and sorted(offer.worth) == [0, 1, 1]


def test_priest_of_ra_lowers_the_cost_of_each_card_of_help() -> None:
    d = charge(war().tiles(0, "w4_priest_of_ra").points(0, 0).cards(0, "war_fury", "blood_bath", "iron_wall", "war_rage"))
    offer = d.offer(0, f"fight {STRONG} {PUSH}")
    assert offer.most == 0 and [*offer.worth] == [0, 0, 0, 0]
    d.do(0, f"fight {STRONG} {PUSH}", "war_fury", "blood_bath", "iron_wall").do(1, f"fight {STRONG} {PUSH}")
    assert d.s.pp[0] == 0 and d.names(d.s.di_discards) == ["blood_bath", "iron_wall", "war_fury"]


def test_priest_of_ra_lowers_the_cost_of_one_card_as_of_the_other() -> None:
    d = war(1, 5).tiles(0, "w4_priest_of_ra").points(0, 5).points(1, 5).cards(0, "war_fury", "blood_bath").cards(1, "iron_wall")
    charge(d).do(1, "pass")                     # no Escape
    d.do(0, f"fight {STRONG} {PUSH}", "war_fury", "blood_bath").do(1, f"fight {STRONG} {PUSH}", "iron_wall")
    assert d.s.pp == [5, 4]


@pytest.mark.parametrize("first", [*permutations(hand_of(0), 2)], ids="-".join)
def test_after_the_third_battle_all_six_cards_return(first: tuple[str, str]) -> None:
    """Every way to use three cards and set three aside is tried."""
    begun = skirmish(Desert(), *first)
    for second in permutations(left(begun), 2):
        half = skirmish(copied(begun), *second)
        assert len(half.s.hand[0]) == 2 and (left(half)[0] in hand_of(0))
        for third in permutations(left(half), 2):
            done = skirmish(copied(half), *third)
            assert sorted(left(done)) == sorted(hand_of(0)) and not done.s.used[0] and not done.s.aside[0]


def skirmish(d: Desert, use: str, keep: str) -> Desert:
    """Fight one against one on an empty board, with seat 0's given choice of cards."""
    charge(d.cleared().troop(0, "A_front", 1).troop(1, "T_SMALL_W", 1).turn(0))
    d.do(0, f"fight {use} {keep}").do(1, d.offers(1)[0])
    while d.s.agenda[-1].script == "battle":
        (seat,) = d.asked
        d.do(seat, "recall")
    return d


def left(d: Desert) -> list[str]:
    return [ID[card] for card in d.s.hand[0]]


def copied(d: Desert) -> Desert:
    other = Desert()
    other.s = clone(d.s)
    return other


# --- strength and damage ------------------------------------------------------------------------------------------------
def test_strength_is_units_and_card_and_ties_go_to_the_defender() -> None:
    d = charge(war(3, 3)).fight(PHALANX, PHALANX)
    assert d.told("battle") == [(0, 5, 0, 1, 5, 0)] and d.s.winner == 1
    d = charge(war(4, 3)).fight(PHALANX, PHALANX)
    assert d.told("battle") == [(0, 6, 0, 1, 5, 0)] and d.s.winner == 0


def test_damage_less_protection_kills_at_most_all_and_does_not_change_who_won() -> None:
    d = charge(war(4, 2)).fight(MIXED, RAID)            # 2 damage, 1 protection against 3 damage
    assert d.told("battle") == [(0, 6, 2, 1, 3, 2)]
    assert d.s.winner == 0 and d.units("T_SMALL_W") == (0, 2) and d.s.reserve == [10, 12]


@pytest.mark.parametrize("help_, strength, kills, lost", [
    ("war_rage", 1, 0, 2), ("war_fury", 2, 0, 2), ("blood_battle", 0, 1, 2), ("blood_bath", 0, 2, 2),
    ("bronze_wall", 0, 0, 1), ("iron_wall", 0, 0, 0),
])  # fmt: skip
def test_every_intervention_card_of_a_battle(help_: str, strength: int, kills: int, lost: int) -> None:
    d = charge(war(3, 4).cards(0, help_))
    d.do(0, f"fight {PUSH} {STRONG}", help_).do(1, f"fight {RAID} {STRONG}")      # 3/0/1 against 1/3/0
    assert d.told("battle") == [(0, 6 + strength, lost, 1, 5, kills)]
    assert help_ in d.names(d.s.di_discards)


def test_help_may_be_left_in_hand() -> None:
    d = charge(war().cards(0, "war_rage")).fight(STRONG, STRONG)
    assert d.names(d.s.di[0]) == ["war_rage"]


# --- rewards ------------------------------------------------------------------------------------------------------------
def test_an_attacker_who_wins_and_lives_gains_a_battle_point() -> None:
    d = charge(war(5, 1)).fight(STRONG, STRONG)
    assert (d.s.vp, d.s.battle_vp) == ([1, 0], [1, 0])


def test_a_defender_who_wins_gains_none() -> None:
    assert charge(war(1, 5)).fight(STRONG, STRONG).s.vp == [0, 0]


def pyrrhic(creature: str | None = None) -> Desert:
    """Return a battle won without survivors, with three defenders left."""
    d = Desert().troop(0, "A_front", 2).troop(1, "T_SMALL_W", 3, creature).points(1, 4).cards(0, "war_fury", "war_rage")
    d = charge(d).do(0, f"fight {STRONG} {PUSH}", "war_fury", "war_rage").do(1, f"fight {MIXED} {PUSH}")
    assert d.s.winner == 0 and d.units("T_SMALL_W") == (1, 3)
    return d


def test_an_attacker_who_wins_without_survivors_gains_none_and_the_defenders_stay_or_are_recalled() -> None:
    d = pyrrhic()
    assert d.s.vp == [0, 0] and d.asked == [1] and d.offers(1) == ["stay", "recall"]
    d.do(1, "recall")
    assert d.s.pp[1] == 7 and d.s.reserve[1] == 12 and d.units("T_SMALL_W") == (-1, 0)
    assert d.s.held == [0, 0] and d.s.agenda[-1].script == "turn"


def test_defenders_who_stay_keep_their_space_and_their_creature() -> None:
    d = pyrrhic("sphinx").do(1, "stay")
    assert d.units("T_SMALL_W") == (1, 3) and d.creature("T_SMALL_W") == ["sphinx"] and d.s.pp[1] == 4
    assert d.s.held == [0, 1] and d.s.agenda[-1].script == "turn"


def test_a_defender_who_wins_without_survivors_sends_the_beaten_attacker_away() -> None:
    d = charge(war(1, 1).cards(0, "blood_bath")).do(0, f"fight {MIXED} {PUSH}", "blood_bath").do(1, f"fight {PUSH} {STRONG}")
    assert d.s.winner == 1 and d.units("T_SMALL_W") == (-1, 0)
    assert d.asked == [0]
    d.do(0, "retreat")
    assert d.asked == [1]
    d.do(1, "send W_OBELISK")
    assert d.units("W_OBELISK") == (0, 1)


def test_by_option_that_attacker_stays_or_is_recalled() -> None:
    def lone() -> Desert:
        d = charge(war(1, 1, lone_loser_leaves=False).points(0, 4).cards(0, "blood_bath"))
        return d.do(0, f"fight {MIXED} {PUSH}", "blood_bath").do(1, f"fight {PUSH} {STRONG}")
    assert lone().s.winner == 1 and lone().offers(0) == ["stay", "recall"]
    assert lone().do(0, "stay").units("T_SMALL_W") == (0, 1)
    d = lone().do(0, "recall")
    assert d.units("T_SMALL_W") == (-1, 0) and d.s.reserve[0] == 12 and d.s.pp[0] == 4


# --- survivors ----------------------------------------------------------------------------------------------------------
def test_the_loser_decides_first_and_a_recall_pays_a_prayer_point_a_unit() -> None:
    d = charge(war(5, 2).points(1, 4)).fight(STRONG, PHALANX)
    assert d.asked == [1] and d.offers(1) == ["recall", "retreat"]
    d.do(1, "recall")
    assert d.s.pp[1] == 6 and d.s.reserve[1] == 12
    assert d.asked == [0] and d.offers(0) == ["stay", "recall"]
    d.do(0, "stay")
    assert d.units("T_SMALL_W") == (0, 5)


def test_the_winner_chooses_a_free_adjacent_space_for_a_retreat() -> None:
    d = charge(war(5, 2).troop(1, "B_front", 1)).fight(STRONG, PHALANX).do(1, "retreat")
    assert d.choices(0, "send") == {"W_OBELISK", "A_front"}     # the attackers left it; B_front is occupied
    d.do(0, "send W_OBELISK")
    assert d.units("W_OBELISK") == (1, 2) and d.units("T_SMALL_W") == (0, 5)


def test_without_a_free_space_the_loser_is_recalled_and_paid() -> None:
    d = war(5, 2).troop(1, "B_front", 1).troop(1, "W_OBELISK", 1)
    d.troop(0, "A_d1", 1).go(0, "act move", "lead A_front", "carry 4 0", "step T_SMALL_W").fight(STRONG, PHALANX)
    (_, survivors, _, paid) = d.forced(1).told("recalls")[-1]
    assert survivors > 0 and paid == survivors and d.units("T_SMALL_W")[0] == 0


def test_a_winner_may_recall_his_troop_and_keeps_the_point() -> None:
    d = charge(war(5, 1).points(0, 0)).fight(STRONG, DAMAGE)
    settle_loser(d)
    d.do(0, "recall")
    assert d.s.pp[0] == d.s.vp[0] + 2 == 3 and d.units("T_SMALL_W") == (-1, 0)


def settle_loser(d: Desert) -> None:
    if d.asked == [1]:
        d.do(1, "recall")


def test_a_retreat_does_not_lead_into_a_foreign_city_unless_walls_are_ignored() -> None:
    d = Desert().troop(0, "B_front", 4).troop(1, "W_GATE", 1)
    d.turn(1).go(1, "act move", "lead W_GATE", "step B_front").fight(PHALANX, PHALANX, attacker=1, defender=0).do(1, "retreat")
    assert {"B_d1", "B_d2", "B_d3"} <= d.choices(0, "send")
    d = Desert().troop(0, "B_d1", 4).troop(1, "A_front", 1)
    d.troop(0, "W_GATE", 1).turn(0).go(0, "act move", "lead W_GATE", "step A_front")
    d.fight(PHALANX, PHALANX).do(0, "retreat")
    assert {"A_d1", "A_d2", "A_d3"} <= d.choices(1, "send")
    d = Desert().troop(0, "B_front", 1).troop(1, "W_GATE", 4).turn(1)
    d.go(1, "act move", "lead W_GATE", "step B_front").fight(PHALANX, PHALANX, attacker=1, defender=0).do(0, "retreat")
    assert not {"B_d1", "B_d2", "B_d3"} & d.choices(1, "send")
    d = Desert().troop(0, "B_front", 1).troop(1, "W_GATE", 4).tiles(0, "r2_open_gates").turn(1)
    d.go(1, "act move", "lead W_GATE", "step B_front").fight(PHALANX, PHALANX, attacker=1, defender=0).do(0, "retreat")
    assert {"B_d1", "B_d2", "B_d3"} <= d.choices(1, "send")


def test_a_battle_ends_the_move() -> None:
    d = charge(war(5, 1).tiles(0, "r1_god_speed")).fight(STRONG, RAID)
    assert not d.s.marching and d.s.agenda[-1].script != "moving"


# --- tiles of battle ----------------------------------------------------------------------------------------------------
def fought(d: Desert, attack: str = PHALANX, defence: str = PHALANX) -> tuple[int, ...]:
    return charge(d).fight(attack, defence).told("battle")[0]


def test_charge_helps_the_attacker_and_defense_the_defender() -> None:
    assert fought(war().tiles(0, "r1_charge", "b1_defense")) == (0, 6, 0, 1, 5, 0)
    assert fought(war().tiles(1, "r1_charge", "b1_defense")) == (0, 5, 0, 1, 6, 0)


def test_blades_carnage_and_shield_help_in_every_battle() -> None:
    assert fought(war().tiles(0, "r3_blades_of_neith")) == (0, 6, 0, 1, 5, 0)
    assert fought(war().tiles(1, "r3_blades_of_neith")) == (0, 5, 0, 1, 6, 0)
    assert fought(war().tiles(0, "r2_carnage"), PHALANX, STRONG) == (0, 5, 0, 1, 7, 1)
    assert fought(war().tiles(1, "b3_shield_of_neith"), DAMAGE, STRONG) == (0, 6, 1, 1, 7, 1)


def test_crusade_pays_two_for_each_enemy_destroyed_by_damage() -> None:
    d = war(3, 3).tiles(0, "w2_crusade").points(0, 0)
    assert fought(d, DAMAGE, STRONG)[5] == 2 and d.s.pp[0] == 4


def test_crusade_does_not_count_what_initiative_destroys() -> None:
    d = war(3, 3).tiles(0, "w2_crusade", "r4_initiative").points(0, 0)
    assert fought(d, PHALANX, STRONG)[5] == 0 and d.s.pp[0] == 0


def test_holy_war_pays_four_to_the_winner() -> None:
    d = war(5, 3).tiles(0, "w3_holy_war").points(0, 0)
    fought(d)
    assert d.s.pp[0] == 4
    d = war(3, 5).tiles(0, "w3_holy_war").points(0, 0)
    fought(d)
    assert d.s.pp[0] == 0


def test_defensive_victory_is_worth_a_battle_point_if_a_defender_lives() -> None:
    d = war(3, 5).tiles(1, "b3_defensive_victory")
    fought(d)
    assert (d.s.vp, d.s.battle_vp) == ([0, 1], [0, 1])
    d = war(1, 1).tiles(1, "b3_defensive_victory")
    assert fought(d, DAMAGE, STRONG)[5] == 1
    assert d.s.vp == [0, 0]


def test_initiative_destroys_two_whatever_protects_them() -> None:
    d = charge(war(3, 4).tiles(0, "r4_initiative").tiles(1, "b3_shield_of_neith"))
    assert d.told("ambushes") == [(0,)] and d.told("loses") == [(1, 2, d.at("T_SMALL_W"))]
    assert d.units("T_SMALL_W") == (1, 2) and d.s.agenda[-1].script == "battle"


def test_initiative_that_leaves_nobody_means_no_battle_no_point_and_the_move_goes_on() -> None:
    d = charge(war(3, 2).tiles(0, "r4_initiative", "r1_god_speed"))
    assert d.units("T_SMALL_W") == (0, 3) and d.s.vp == [0, 0] and d.s.held == [1, 0]
    d.go(0, "step W_OBELISK", "stop")
    assert d.units("W_OBELISK") == (0, 3)


def test_by_option_it_ends_the_move() -> None:
    d = charge(war(3, 2, initiative_moves_on=False).tiles(0, "r4_initiative", "r1_god_speed"))
    assert d.units("T_SMALL_W") == (0, 3) and d.s.agenda[-1].script == "turn"


def test_prescience_shows_the_opponents_card_before_its_owner_chooses() -> None:
    d = charge(war().tiles(1, "b3_prescience"))
    assert d.asked == [0] and d.choices(0, "show") == set(hand_of(0))
    d.do(0, f"show {MIXED}")
    assert d.names(view(TITLE, d.s, 1).fighting[0]) == [MIXED]
    assert {words.split()[1] for words in d.offers(0)} == {MIXED}
    assert {words.split()[1] for words in d.offers(1)} == set(hand_of(1))


def test_divine_wound_adds_one_for_each_card_discarded_and_may_be_declined() -> None:
    d = charge(war().tiles(0, "r3_divine_wound").cards(0, "prayer", "veto", "war_rage")).fight(PHALANX, PHALANX)
    assert d.asked == [0]
    d.do(0, "wound", "prayer", "war_rage")
    assert d.told("battle")[0][1] == 7 and d.names(d.s.di[0]) == ["veto"]
    d = charge(war().tiles(0, "r3_divine_wound").cards(0, "prayer")).fight(PHALANX, PHALANX).do(0, "wound")
    assert d.told("battle")[0][1] == 5 and d.names(d.s.di[0]) == ["prayer"]


# --- creatures ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("creature, strength, kills, lost", [
    ("royal_scarab", 2, 0, 1), ("giant_scorpion", 2, 2, 1), ("phoenix", 2, 0, 1), ("sphinx", 2, 0, 1), ("mummy", 2, 0, 1),
    ("ancestral_elephant", 1, 0, 0), ("deep_desert_snake", 0, 0, 1),
])  # fmt: skip
def test_each_creature_in_battle(creature: str, strength: int, kills: int, lost: int) -> None:
    d = Desert().troop(0, "A_front", 3, creature).troop(1, "T_SMALL_W", 3)
    assert fought(d, STRONG, STRONG) == (0, 7 + strength, lost, 1, 7, 1 + kills)


def test_the_snake_cancels_every_effect_of_the_other_creature() -> None:
    d = Desert().troop(0, "A_front", 3, "giant_scorpion").troop(1, "T_SMALL_W", 3, "deep_desert_snake")
    assert fought(d) == (0, 5, 0, 1, 5, 0)


def test_a_creature_whose_troop_is_destroyed_goes_to_a_troop_in_the_city() -> None:
    d = Desert().troop(0, "A_front", 1, "phoenix").troop(0, "A_d1", 2).troop(0, "A_d2", 1, "mummy").troop(0, "A_d3", 1)
    d = charge(d.troop(1, "T_SMALL_W", 4)).fight(RAID, DAMAGE)
    assert d.asked == [0] and d.offers(0) == ["deploy phoenix A_d1", "deploy phoenix A_d3"]
    assert d.do(0, "deploy phoenix A_d3").creature("A_d3") == ["phoenix"]


def test_a_creature_whose_troop_is_recalled_goes_to_a_troop_in_the_city() -> None:
    d = charge(Desert().troop(0, "A_front", 5).troop(1, "T_SMALL_W", 2, "sphinx").troop(1, "B_d1", 1)).fight(STRONG, PHALANX)
    d.do(1, "recall")
    assert d.asked == [1] and d.offers(1) == ["deploy sphinx B_d1"]


def test_without_a_troop_in_the_city_it_goes_to_the_reserve() -> None:
    d = charge(Desert().troop(0, "A_front", 1, "phoenix").troop(1, "T_SMALL_W", 4)).fight(RAID, DAMAGE)
    assert d.names(d.s.stable[0]) == ["phoenix"] and d.s.agenda[-1].script != "homecoming"


def test_a_creature_retreats_with_its_troop() -> None:
    d = Desert().troop(0, "A_front", 5).troop(1, "T_SMALL_W", 1, "ancestral_elephant")
    charge(d).fight(STRONG, PHALANX).do(1, "retreat").do(0, "send W_OBELISK")
    assert d.creature("W_OBELISK") == ["ancestral_elephant"] and d.units("W_OBELISK") == (1, 1)
