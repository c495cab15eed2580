"""Setups, five seats, mixed citizens, and the solo game against the Dark Lord."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ludarium_engine.kernel import Illegal, checked_options, legal_offers, new_game, seats_to_act, view
from ludarium_engine.kernel.facts import Revealed
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import AREAS, CITIZEN, CITIZEN_KINDS, DOMAIN, FACES, SETUPS, STACKS, cards_of
from ludarium_engine.titles.valeria.state import Valeria
from tests.engine.valeria.language import Realm


def fresh(seats: int, options: Mapping[str, Any] | None = None, seed: int = 0) -> Valeria:
    return new_game(TITLE, checked_options(TITLE, options or {}, seats), seats, chance_of(seed))[0]


def kinds(stack: list[int]) -> set[str]:
    return {FACES[card].id for card in stack}


# --- setup ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_what_lies_in_the_centre(seats: int) -> None:
    s, size = fresh(seats), 6 if seats == 5 else 5
    assert [len(stack) for stack in s.monsters] == [size] * 5 and [len(stack) for stack in s.citizens] == [size] * 10
    assert [len(stack) for stack in s.domains] == [1] * 5 and [len(stack) for stack in s.domains_below] == [size - 3] * 5
    assert [len(kinds(stack)) for stack in s.citizens] == [1] * 10


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_what_each_seat_begins_with(seats: int) -> None:
    s = fresh(seats)
    assert [kinds(cards) for cards in s.tableau] == [{"starter_peasant", "starter_knight"}] * seats
    assert (s.gold, s.strength, s.magic, s.vp) == ([2] * seats, [0] * seats, [1] * seats, [0] * seats)
    assert [len(cards) for cards in s.dealt] == [2] * seats and seats_to_act(s) == tuple(range(seats))


def test_the_weakest_monster_lies_on_top_and_the_boss_at_the_bottom() -> None:
    s = fresh(5, {"setup": "first_game"})
    assert [[FACES[card].id for card in stack][::-1] for stack in s.monsters] == [
        ["goblin"] * 3 + ["goblin_mage"] * 2 + ["goblin_king"],
        ["skeleton"] * 3 + ["flaming_skeleton"] * 2 + ["skeleton_king"],
        ["treant"] * 3 + ["bane_spider"] * 2 + ["spider_queen"],
        ["owlbear"] * 3 + ["giant"] * 2 + ["troll"],
        ["dire_bear"] * 3 + ["orc_warrior"] * 2 + ["orc_chieftain"],
    ]


def test_below_five_seats_one_monster_of_each_area_is_left_out() -> None:
    s = fresh(4, {"setup": "first_game"})
    assert [[FACES[card].id for card in stack][::-1] for stack in s.monsters] == [
        ["goblin"] * 3 + ["goblin_mage", "goblin_king"], ["skeleton"] * 2 + ["flaming_skeleton"] * 2 + ["skeleton_king"],
        ["treant"] * 2 + ["bane_spider"] * 2 + ["spider_queen"], ["owlbear"] * 3 + ["giant", "troll"],
        ["dire_bear"] * 2 + ["orc_warrior"] * 2 + ["orc_chieftain"],
    ]  # fmt: skip


@pytest.mark.parametrize("name", SETUPS)
def test_a_named_setup_stands_as_printed(name: str) -> None:
    s, setup = fresh(3, {"setup": name}), SETUPS[name]
    assert [AREAS[area] for area in s.areas] == [*setup.areas]
    assert [FACES[stack[0]].id for stack in s.citizens] == [*setup.citizens]
    removed = {card for kind in setup.removed for card in cards_of(kind)}
    assert len(removed) in (0, 4) and removed <= set(s.box)
    assert removed.isdisjoint(s.domain_deck + [card for stack in s.domains + s.domains_below for card in stack])


def test_areas_and_citizens_that_are_named_are_used_the_others_left_to_chance() -> None:
    seen: list[tuple[set[int], set[int]]] = []
    for seed in range(20):
        s = fresh(3, {"areas": ["caverns", "hills"], "citizens": ["thief", "monk"]}, seed)
        assert {AREAS.index("caverns"), AREAS.index("hills")} <= set(s.areas) and len(set(s.areas)) == 5
        assert kinds(s.citizens[0]) == {"monk"} and kinds(s.citizens[6]) == {"thief"}
        seen.append((set(s.areas), set(s.kinds)))
    assert len({tuple(sorted(areas)) for areas, _ in seen}) > 5 and len({tuple(sorted(some)) for _, some in seen}) > 5


def test_areas_stand_by_their_weakest_monster() -> None:
    named = ["swamp", "valley", "mountains", "caverns", "ruins"]
    assert [AREAS[area] for area in fresh(3, {"areas": named}).areas] == ["ruins", "valley", "swamp", "mountains", "caverns"]


@pytest.mark.parametrize("options", [
    {"areas": ["hills", "hills"]}, {"citizens": ["monk", "cleric"]}, {"citizens": ["paladin", "priestess"]},
    {"setup": "first_game", "areas": ["hills"]}, {"setup": "monster_blood", "mixed_citizens": True},
    {"mixed_citizens": True, "citizens": ["monk"]}, {"areas": ["moon"]}, {"setup": "nonsense"}, {"seats": 3},
    {"areas": ["hills", "barrens", "ruins", "forest", "valley", "swamp"]},
])  # fmt: skip
def test_options_that_make_no_sense_are_refused(options: Mapping[str, Any]) -> None:
    with pytest.raises(Illegal):
        checked_options(TITLE, options, 3)


def test_dukes_are_kept_in_secret_and_at_the_same_time() -> None:
    s = fresh(3)
    assert [{offer.args[0] for offer in legal_offers(TITLE, s, seat)} for seat in range(3)] == [set(cards) for cards in s.dealt]
    assert view(TITLE, s, 0).dealt == [s.dealt[0], [-1, -1], [-1, -1]]
    r = Realm(3)
    assert view(TITLE, r.s, 1).duke == [[-1], r.s.duke[1], [-1]]


# --- five seats -------------------------------------------------------------------------------------------------------
def test_the_seat_before_the_active_one_rests() -> None:
    r = Realm(5).rolled(5, 2)
    assert [r.purse(seat) for seat in range(5)] == [(1, 0, 0)] * 4 + [(0, 0, 0)]
    r = Realm(5)
    r.s.turn = 2
    assert 1 not in r.rolled(1, 2).asked and r.asked == [0, 2, 3, 4]


def test_the_resting_seat_may_be_robbed_unless_the_option_says_otherwise() -> None:
    for safe in (False, True):
        r = Realm(5, setup="first_game", resting_player_targetable=not safe)
        for seat in range(5):
            r.has(seat, "thief" if seat == 0 else "", gold=3)
        assert {victim for victim, _, _ in r.rolled(4, 3).args(0, "steal")} == ({1, 2, 3} if safe else {1, 2, 3, 4})


def test_the_resting_seat_still_gains_by_gargans_embrace() -> None:
    r = Realm(5).has(0, "foxgrove_palisade", gold=2).has(4, "gargans_embrace").rolled(6, 1)
    assert r.do(0, "change", "foxgrove_palisade", 1).s.vp == [0, 0, 0, 0, 1]


# --- mixed citizens ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("seats", "below"), [(1, 4), (2, 4), (4, 4), (5, 5)])
def test_mixed_stacks_show_their_top_card_only(seats: int, below: int) -> None:
    s = fresh(seats, {"mixed_citizens": True})
    assert [len(stack) for stack in s.citizens] == [1] * 10 and [len(stack) for stack in s.citizens_below] == [below] * 10
    for nth, stack in enumerate(zip(s.citizens, s.citizens_below, strict=True)):
        assert kinds(stack[0] + stack[1]) <= set(STACKS[nth])
    assert view(TITLE, s, 0).citizens_below == [[-1] * below] * 10
    assert any(len(kinds(a + b)) == 2 for a, b in zip(s.citizens, s.citizens_below, strict=True))


def test_a_face_down_citizen_is_turned_up_when_the_one_above_is_taken() -> None:
    r = Realm(2, mixed_citizens=True).has(0, gold=9).acting()
    top, below = FACES[r.s.citizens[8][0]].id, r.s.citizens_below[8][-1]
    r.do(0, "recruit", top)
    assert r.s.citizens[8] == [below] and len(r.s.citizens_below[8]) == 3


def test_a_returned_citizen_lies_on_top_of_the_open_one() -> None:
    r = Realm(2, mixed_citizens=True).on_top("domains", 0, "nest_of_the_weaver_witch").has(0, "merchant blacksmith", gold=6)
    open_one = r.s.citizens[1][0]
    r.acting().do(0, "build", "nest_of_the_weaver_witch").do(0, "put_back", "merchant")
    assert r.s.citizens[1][0] == open_one and len(r.s.citizens[1]) == 2
    count = len(r.s.citizens_below[1])
    r.has(0, gold=5).do(0, "recruit", "merchant")
    assert r.s.citizens[1] == [open_one] and len(r.s.citizens_below[1]) == count


# --- solo -------------------------------------------------------------------------------------------------------------
def striking(a: int, b: int, r: Realm | None = None) -> Realm:
    """Finish the actions of a turn, after which the dice activate the monsters."""
    r = r or Realm(1)
    r.s.dice[:] = a, b
    return r.finishing()


def test_the_dark_lords_duke_is_one_that_was_not_dealt() -> None:
    s = fresh(1)
    after = Realm(1).s
    assert len(after.dark_duke) == 1 and view(TITLE, after, 0).dark_duke == [-1]
    assert set(after.dark_duke).isdisjoint(s.dealt[0])


def test_each_die_wakes_the_monsters_of_a_column() -> None:
    r = striking(2, 4)
    assert r.args(0, "give_up") == {(2, r.s.citizens[1][-1]), (2, r.s.citizens[6][-1]), (4, r.s.citizens[3][-1]),
                                       (4, r.s.citizens[8][-1])}  # fmt: skip
    lost = r.s.citizens[6][-1]
    r.do(0, "give_up", 2, lost)
    assert r.s.captured == [lost] and {die for die, _ in r.args(0, "give_up")} == {4}


def test_a_double_wakes_a_column_twice_and_a_six_any_column() -> None:
    r = striking(3, 3)
    r.do(0, "give_up", 3, r.s.citizens[2][-1])
    assert {die for die, _ in r.args(0, "give_up")} == {3}
    assert len(striking(6, 3).choices(0, "give_up")) == 12


def test_an_exhausted_monster_stack_does_nothing() -> None:
    r = striking(2, 4, Realm(1).without("monsters", 1, 3))
    assert not r.s.captured and "give_up" not in r.verbs(0)


def test_without_citizens_the_domain_of_the_column_goes() -> None:
    table = Realm(1).without("citizens", 1, 6).without("monsters", 3)
    domain = table.s.domains[1][0]
    r = striking(2, 4, table).forced()
    assert r.s.captured == [domain] and len(r.s.domains[1]) == 1 and r.s.domains[1] != [domain]


def test_with_nothing_left_in_the_column_the_game_is_lost() -> None:
    r = striking(2, 4, Realm(1).without("citizens", 1, 6).without("domains", 1).without("monsters", 3))
    assert r.forced().s.outcome == [2]
    assert any(isinstance(fact, Revealed) and [*fact.cards] == r.s.dark_duke for fact in r.event.facts)


def test_the_second_harvest_is_of_the_right_sides_also_of_what_was_just_recruited() -> None:
    r = Realm(1).without("monsters", *range(1, 5)).has(0, gold=3)
    r.s.dice[:] = 1, 2
    r.acting(last=True).do(0, "recruit", "cleric").do(0, "give_up", 1, r.s.citizens[0][-1])
    assert r.counted()[0] == ("magic.0", 1)
    plain = striking(2, 3, Realm(1).without("monsters", *range(1, 5)).has(0, "merchant mercenary", strength=1))
    assert plain.args(0, "harvest") == {(0, 0, 0), (2, -1, 0)} and plain.purse(0) == (2, 1, 0)


def test_each_of_the_two_harvests_has_its_consolation() -> None:
    assert len(Realm(1).rolled(1, 2).choices(0, "harvest")) == 3
    r = striking(1, 2, Realm(1).without("monsters", 0, 1))
    assert len(r.args(0, "harvest")) == 3


def test_alone_the_bank_is_robbed() -> None:
    r = Realm(1).has(0, "thief").rolled(4, 3)
    assert r.args(0, "draw") == {(0, 3), (2, 3)}
    assert r.do(0, "draw", "magic", 3).purse(0)[2] == 3
    r = Realm(1).on_top("domains", 0, "cutthroats_truce").has(0, "rogue cleric", gold=5).acting()
    assert r.do(0, "build", "cutthroats_truce").purse(0) == (3, 0, 0)
    ending = Realm(1).without("monsters", *range(1, 5)).has(0, "cathedral_of_st_aquila the_orb_of_urdr")
    ending.s.dice[:] = 2, 4
    assert {*ending.finishing().counted()[:2]} == {("gold.0", 1), ("magic.0", 1)}


def test_alone_purloiners_perch_takes_the_leftmost_monster() -> None:
    r = Realm(1).without("monsters", 0).on_top("domains", 0, "purloiners_perch").has(0, "rogue mercenary", gold=10).acting()
    r.do(0, "build", "purloiners_perch")
    assert r.kinds("slain", 0) == ["skeleton"] and r.purse(0) == (0, 0, 0)


def test_all_monsters_slain_win_at_the_end_of_the_round() -> None:
    r = striking(1, 2, Realm(1).without("monsters", *range(5)))
    assert r.do(0, "harvest", 1, 0, 0).s.outcome == [1]


@pytest.mark.parametrize(("own", "outcome"), [("goblin", [2]), ("troll spider_queen orc_chieftain giant giant", [1])])
def test_five_exhausted_positions_compare_the_points(own: str, outcome: list[int]) -> None:
    r = Realm(1).duke(0, "elsyn_saint_of_shadows").has(0, own).without("citizens", *range(5)).without("monsters", *range(4))
    r.s.dice[:] = 3, 4
    r.finishing().do(0, "harvest", 1, 0, 0)
    assert r.s.outcome == outcome and len(r.told("dark_lord")) == 1


def test_what_the_dark_lord_scores() -> None:
    r = Realm(1).without("monsters", *range(4)).without("citizens", *range(5))
    reese = cards_of("reese_the_firebrand")[0]
    next(pile for pile in r.piles() if reese in pile).remove(reese)
    r.s.box += r.s.dark_duke
    r.s.dark_duke = [reese]
    citizen = r.s.citizens[9].pop()
    domain = r.s.domains[0].pop()
    r.s.captured = [citizen, domain]
    monsters = [FACES[card] for card in r.s.monsters[4]]
    printed = sum(getattr(face, "vp", 0) for face in [*monsters, FACES[domain]])
    r.s.dice[:] = 3, 4
    r.finishing().do(0, "harvest", 1, 0, 0)
    of_duke = len(monsters) + 1 + 1
    assert r.told("dark_lord") == [(printed + of_duke, printed, of_duke)]


def test_ids_are_as_the_cards_say() -> None:
    assert len(CITIZEN) == 108 and len(DOMAIN) == 24 and len(CITIZEN_KINDS) == 18
