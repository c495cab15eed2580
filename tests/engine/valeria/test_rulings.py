"""Rulings that no other test covers."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import checked_options, new_game
from ludarium_engine.kernel.facts import Moved, Rolled, Said
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import AREAS, weakest
from ludarium_engine.titles.valeria.centre import exhausted
from tests.engine.valeria.language import Realm
from tests.engine.valeria.test_domains import builder


def test_areas_of_equal_strength() -> None:
    """Magic decides between Valley and Swamp, and between Mountains and Caverns.

    The fixed order decides between Hills and Barrens.
    """
    assert weakest(AREAS.index("hills")) == weakest(AREAS.index("barrens")) == (1, 0)
    named = ["caverns", "barrens", "mountains", "swamp", "hills"]
    s, _ = new_game(TITLE, checked_options(TITLE, {"areas": named}, 2), 2, chance_of(0))
    assert [AREAS[area] for area in s.areas] == ["hills", "barrens", "swamp", "mountains", "caverns"]


@pytest.mark.parametrize("waits", [False, True])
def test_an_ongoing_domain_on_the_turn_on_which_it_is_built(waits: bool) -> None:
    r = builder("pratchetts_plateau", domain_build_turn_cooldown=waits).on_top("domains", 1, "darktide_harbour")
    r.has(0, "2 cleric merchant mercenary archer", gold=8 + 5).acting().do(0, "build", "pratchetts_plateau")
    assert ("darktide_harbour" in r.choices(0, "build")) != waits
    r.do(0, "gain", "gold")
    assert not r.s.fresh                        # from the next turn on it always works


@pytest.mark.parametrize("waits", [False, True])
def test_cathedral_takes_on_the_turn_on_which_it_is_built(waits: bool) -> None:
    r = builder("cathedral_of_st_aquila", domain_build_turn_cooldown=waits).has(1, gold=2).acting(last=True)
    r.do(0, "build", "cathedral_of_st_aquila")
    assert r.args(0, "steal") == (set() if waits else {(1, 0, 1)})


def test_a_thief_that_finds_nothing_is_not_asked() -> None:
    r = Realm(3).has(0, "thief merchant").has(1, strength=9).rolled(2, 5)
    assert r.verbs(0) == {"harvest"}


def test_magic_is_no_gold_outside_actions() -> None:
    assert "harvest" not in Realm(citizens=["monk"]).has(1, "monk", magic=9).rolled(1, 3).verbs(1)
    assert "change" not in Realm().has(0, "foxgrove_palisade", magic=9).rolled(3, 1).verbs(0)


def test_starters_are_namesakes_but_no_citizens() -> None:
    r = Realm().has(0, gold=3).acting()
    assert {"peasant", "knight"} <= r.choices(0, "recruit")                 # 2 + 1 for the starter
    assert {"peasant", "knight"}.isdisjoint(Realm().has(0, gold=2).acting().choices(0, "recruit"))
    building = builder("nest_of_the_weaver_witch", citizens="2 merchant").acting().do(0, "build", "nest_of_the_weaver_witch")
    assert building.choices(0, "put_back") == {"merchant"}


def test_every_empty_position_counts() -> None:
    assert exhausted(Realm().without("citizens", *range(10)).without("monsters", *range(5)).s) == 15


def test_a_returned_monster_lies_on_top_whatever_its_strength_and_may_be_slain_again() -> None:
    r = builder("watcher_on_the_water", citizens="2 archer goblin_king").acting()
    r.do(0, "build", "watcher_on_the_water").do(0, "put_back", "goblin_king")
    assert r.kinds("monsters", 0)[-2:] == ["goblin", "goblin_king"]
    r.has(0, strength=6)
    assert r.do(0, "slay", "goblin_king").purse(0)[0] >= 1


def test_chance_picks_the_monster_and_the_log_says_which() -> None:
    seen = set()
    for seed in range(20):
        r = builder("purloiners_perch", 3).has(1, "goblin owlbear treant")
        r.chance = chance_of(seed)
        r.acting().do(0, "build", "purloiners_perch").forced()
        facts = r.event.facts[r.event.facts.index(Said("forced", (0,))):]
        rolled, moved = (next(fact for fact in facts if isinstance(fact, kind)) for kind in (Rolled, Moved))
        assert isinstance(rolled, Rolled) and isinstance(moved, Moved) and moved.cards == (rolled.value,)
        seen.add(r.kinds("slain", 0)[0])
    assert seen == {"goblin", "owlbear", "treant"}


def test_no_consolation_for_cards_that_activated_in_vain() -> None:
    r = Realm(citizens=["monk"]).has(1, "monk").rolled(1, 3)
    assert r.asked == [0] and r.args(0, "harvest") == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    thief = Realm().has(0, "thief").rolled(3, 4)
    assert thief.asked == [1]                  # its Thief found nothing to take, but it activated


def test_a_returned_citizen_raises_no_price_and_a_domain_outlives_its_roles() -> None:
    r = builder("nest_of_the_weaver_witch", citizens="2 merchant halfpenny_hill").acting()
    r.do(0, "build", "nest_of_the_weaver_witch").do(0, "put_back", "merchant").has(0, gold=3)
    assert "merchant" in r.choices(0, "recruit") and "halfpenny_hill" in r.kinds("built", 0)


def test_magic_for_a_citizen_or_a_monster_comes_after_its_payment() -> None:
    r = Realm().has(0, "forgotten_sorrows", gold=2).acting()
    assert "knight" not in r.choices(0, "recruit")                          # two gold and the magic to come would suffice
    r = Realm().has(0, "the_violet_thorn", strength=1).acting()
    assert "skeleton" not in r.choices(0, "slay")


def test_a_domain_that_leaves_a_die_as_it_is_may_not_be_used_on_it() -> None:
    r = Realm().has(0, "foxgrove_palisade gargans_embrace", gold=9).rolled(6, 6)
    assert "change" not in r.verbs(0)


@pytest.mark.parametrize("kind, dice, token, others, brought", [
    ("blacksmith", (2, 1), 0, "archer", 1), ("warlord", (2, 6), 1, "archer", 2), ("butcher", (5, 6), 0, "merchant", 4),
])  # fmt: skip
def test_role_icons_on_domains_count_for_no_citizen(
    kind: str, dice: tuple[int, int], token: int, others: str, brought: int
) -> None:
    def gained(cards: str) -> int:
        return Realm().has(0, cards).rolled(*dice).purse(0)[token]
    mine = f"{others} {kind}"
    assert gained(mine) == gained(f"{mine} gargans_embrace nest_of_the_weaver_witch") == gained(others) + brought
