"""Slaying monsters, and the reward of each monster."""
from __future__ import annotations

import pytest

from ludarium_engine.titles.valeria.cards import AREAS, MONSTER_KINDS
from tests.engine.valeria.language import Realm

Purse = tuple[int, int, int]
# kind: immediate gain
AT_ONCE: dict[str, Purse] = {
    "goblin": (1, 0, 0), "goblin_king": (3, 0, 0), "gargoyle": (0, 0, 1), "witch_queen": (0, 0, 3),
    "skeleton": (1, 0, 0), "flaming_skeleton": (1, 0, 1), "skeleton_king": (6, 0, 0), "treant": (1, 0, 1),
    "owlbear": (0, 0, 2), "giant": (1, 0, 2), "troll": (0, 0, 6), "gelatinous_cube": (2, 0, 0),
    "swamp_dragon": (0, 0, 6), "orc_chieftain": (6, 0, 0), "kobolds": (2, 0, 1), "gold_golem": (5, 0, 0),
    "red_dragon": (9, 0, 0),
}  # fmt: skip
# kind: its choice of tokens, and of citizens
CHOICES: dict[str, tuple[set[tuple[str, int]], set[str]]] = {
    "goblin_mage": ({("gold", 1), ("magic", 1)}, set()),
    "dire_bear": ({("gold", 2), ("magic", 2)}, set()),
    "basilisk": ({("gold", 3), ("magic", 3)}, set()),
    "bane_spider": ({("gold", 3)}, {"knight"}),
    "spider_queen": ({("gold", 6)}, {"cleric", "merchant", "mercenary", "archer", "peasant", "knight", "rogue",
                                     "champion", "paladin", "butcher"}),
    "wraith": (set(), {"merchant", "peasant", "knight", "rogue", "champion", "paladin", "butcher"}),
    "orc_warrior": (set(), {"cleric", "merchant", "mercenary", "peasant", "knight", "rogue", "champion", "paladin",
                            "butcher"}),
}  # fmt: skip
CITIZENS = ["cleric", "merchant", "mercenary", "archer", "rogue", "champion", "paladin", "butcher"]


def facing(kind: str) -> Realm:
    """Return a position with this monster on top, its price, and two slain minions."""
    monster = next(m for m in MONSTER_KINDS if m.id == kind)
    minion = next(m.id for m in MONSTER_KINDS if m.area == monster.area)
    others = [area for area in AREAS if area != monster.area][:4]
    r = Realm(areas=[monster.area, *others], citizens=CITIZENS)
    r.has(0, f"2 {minion}", strength=monster.strength, magic=monster.magic)
    return r.on_top("monsters", r.s.areas.index(AREAS.index(monster.area)), kind).acting()


@pytest.mark.parametrize("kind", AT_ONCE)
def test_a_reward_that_comes_at_once(kind: str) -> None:
    r = facing(kind).do(0, "slay", kind)
    assert r.purse(0) == AT_ONCE[kind] and kind in r.kinds("slain", 0) and r.verbs(0) >= {"gain"}


@pytest.mark.parametrize(("kind", "name", "n"), [(kind, *choice) for kind, (tokens, _) in CHOICES.items() for choice in tokens])
def test_a_reward_of_tokens_to_choose(kind: str, name: str, n: int) -> None:
    r = facing(kind).do(0, "slay", kind).do(0, "draw", name, n)
    assert r.purse(0) == (n * (name == "gold"), 0, n * (name == "magic"))


@pytest.mark.parametrize("kind", [kind for kind, (_, citizens) in CHOICES.items() if citizens])
def test_a_reward_of_a_citizen(kind: str) -> None:
    r = facing(kind).do(0, "slay", kind)
    assert r.choices(0, "take") == CHOICES[kind][1] and "pass" not in r.verbs(0)
    r.do(0, "take", "knight")
    assert r.kinds("tableau", 0)[-1] == "knight" and r.purse(0) == (0, 0, 0)
    assert r.s.vp[0] == (kind == "spider_queen")


@pytest.mark.parametrize("kind", CHOICES)
def test_what_a_reward_lets_one_choose(kind: str) -> None:
    r = facing(kind).do(0, "slay", kind)
    tokens = {(("gold", "strength", "magic")[a], n) for a, n in r.args(0, "draw")}
    assert (tokens, r.choices(0, "take")) == CHOICES[kind]


def test_every_monster_is_in_a_table() -> None:
    assert {*AT_ONCE, *CHOICES} == {kind.id for kind in MONSTER_KINDS} and not {*AT_ONCE} & {*CHOICES}


def test_without_a_knight_a_bane_spider_brings_gold() -> None:
    r = facing("bane_spider").without("citizens", 5).do(0, "slay", "bane_spider")
    assert r.purse(0) == (3, 0, 0) and r.verbs(0) >= {"gain"}


def test_without_a_citizen_a_spider_queen_brings_gold_and_no_token() -> None:
    r = facing("spider_queen").without("citizens", *range(10)).do(0, "slay", "spider_queen")
    assert r.purse(0) == (6, 0, 0) and r.s.vp[0] == 0


def test_without_a_citizen_that_fits_a_wraith_brings_nothing() -> None:
    r = facing("wraith").without("citizens", *range(10)).do(0, "slay", "wraith")
    assert r.purse(0) == (0, 0, 0) and len(r.s.tableau[0]) == 2


def test_only_the_top_monster_can_be_slain_and_the_printed_magic_is_due() -> None:
    r = Realm().has(0, strength=50).acting()
    assert r.choices(0, "slay") == {"goblin", "skeleton", "treant", "owlbear", "dire_bear"}
    swamp = Realm(setup="glittering_gold").has(0, strength=50).acting()
    assert swamp.choices(0, "slay") == {"goblin", "skeleton", "treant"}
