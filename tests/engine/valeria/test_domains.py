"""The cost and effect of every domain, used and declined."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel.facts import Rolled
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.titles.valeria.cards import DOMAIN_KINDS, cards_of
from ludarium_engine.titles.valeria.data_file import Domain
from tests.engine.valeria.language import Realm

# Citizens with the roles of every domain, except those that need three of one.
CITIZENS = ["cleric", "merchant", "mercenary", "archer", "rogue", "champion", "paladin", "butcher"]
EVERY_ROLE = "2 cleric 3 merchant 2 mercenary 3 archer"


def builder(domain: str, seats: int = 2, magic: int = 0, citizens: str = EVERY_ROLE, **options: Any) -> Realm:
    """Return a position in which seat 0 may build the domain and has exactly the gold."""
    price = next(kind.gold for kind in DOMAIN_KINDS if kind.id == domain)
    r = Realm(seats, citizens=CITIZENS, areas=["hills", "ruins", "forest", "valley", "mountains"], **options)
    return r.on_top("domains", 0, domain).has(0, citizens, gold=price, magic=magic)


def built(domain: str, seats: int = 2, **tokens: int) -> Realm:
    return Realm(seats).has(0, domain, **tokens)


@pytest.mark.parametrize("kind", DOMAIN_KINDS, ids=lambda kind: kind.id)
def test_a_domain_costs_its_gold_and_needs_its_roles(kind: Domain) -> None:
    r = builder(kind.id).acting()
    assert r.payments(0, "build", kind.id) == [0]
    lacking = {"worker": "2 cleric 2 mercenary 3 archer", "soldier": "2 cleric 3 merchant 2 mercenary",
               "shadow": "2 cleric 3 merchant 3 archer", "holy": "3 merchant 2 mercenary 3 archer"}  # fmt: skip
    for role in kind.roles:
        assert kind.id not in builder(kind.id, citizens=lacking[role]).acting().choices(0, "build")
    r.do(0, "build", kind.id)
    assert kind.id in r.kinds("built", 0) and r.s.gold[0] <= 3


# --- the roll phase ---------------------------------------------------------------------------------------------------
def test_foxgrove_palisade_makes_a_six_for_two_gold() -> None:
    r = built("foxgrove_palisade", gold=2).rolled(3, 1)
    card = cards_of("foxgrove_palisade")[0]
    assert r.args(0, "change") == {(card, 0), (card, 1)}
    r.do(0, "change", card, 1)
    assert r.s.dice == [3, 6] and r.s.gold[0] == 0
    assert built("foxgrove_palisade", gold=1).rolled(3, 1).verbs(0) == {"harvest"}


def test_the_desert_orchid_makes_a_one_for_a_gold_a_holy_citizen() -> None:
    r = built("the_desert_orchid").rolled(3, 4).do(0, "change", "the_desert_orchid", 0)
    assert r.s.dice == [1, 4]
    r = Realm().has(0, "the_desert_orchid 2 paladin", gold=2).rolled(3, 4).do(0, "change", "the_desert_orchid", 1)
    assert r.s.dice == [3, 1] and r.s.gold[0] == 0
    assert "change" not in Realm().has(0, "the_desert_orchid 2 paladin", gold=1).rolled(3, 4).verbs(0)


def test_the_palace_of_the_dawn_lowers_a_die_but_not_below_one() -> None:
    r = built("palace_of_the_dawn").rolled(3, 1)
    assert r.args(0, "change") == {(cards_of("palace_of_the_dawn")[0], 0)}
    assert r.do(0, "change", "palace_of_the_dawn", 0).s.dice == [2, 1]


def test_each_domain_changes_dice_once_a_roll_phase_also_the_same_die() -> None:
    r = Realm().has(0, "foxgrove_palisade palace_of_the_dawn", gold=4).rolled(3, 1)
    r.do(0, "change", "foxgrove_palisade", 0).do(0, "change", "palace_of_the_dawn", 0)
    assert r.s.dice == [5, 1] and r.verbs(0).isdisjoint({"change", "announce"})


def test_the_dice_may_be_left_as_they_are() -> None:
    r = built("palace_of_the_dawn").rolled(6, 5).do(0, "announce")
    assert r.s.dice == [6, 5] and r.purse(0) == (1, 1, 0)


def test_only_the_one_who_rolls_changes_dice() -> None:
    assert Realm().has(1, "palace_of_the_dawn").rolled(6, 5).asked == [0]


def test_gargans_embrace_pays_for_doubles_rolled_by_anybody_and_for_each_made() -> None:
    r = Realm().has(0, "foxgrove_palisade", gold=2).has(1, "gargans_embrace").rolled(6, 1)
    assert r.do(0, "change", "foxgrove_palisade", 1).s.vp == [0, 1]
    for seed in range(60):
        r = Realm(chance=chance_of(seed)).has(1, "gargans_embrace").at(0)
        a, b = [fact.value for fact in r.event.facts if isinstance(fact, Rolled)][:2]
        assert r.s.vp == [0, int(a == b)]


def test_doubles_that_are_changed_away_have_still_paid() -> None:
    rolls = (Realm(chance=chance_of(seed)).has(0, "gargans_embrace palace_of_the_dawn").at(0) for seed in range(99))
    r = next(r for r in rolls if r.s.dice[0] == r.s.dice[1] > 1)
    assert r.do(0, "change", "palace_of_the_dawn", 0).s.vp[0] == 1 and r.s.dice[0] != r.s.dice[1]


# --- the action phase -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("domain", "brought"), [
    ("halfpenny_hill", (1, 0, 0)), ("blood_crow_army", (0, 1, 0)), ("monolith_of_ostendaar", (0, 0, 1)),
])  # fmt: skip
def test_what_comes_at_the_start_of_the_action_phase(domain: str, brought: tuple[int, int, int]) -> None:
    r = built(domain).at(5)
    assert r.purse(0) == brought and r.purse(1) == (0, 0, 0)


def test_the_emerald_stronghold_recruits_at_the_printed_price() -> None:
    r = Realm().has(0, "emerald_stronghold 2 archer", gold=4).acting()
    assert "archer" in r.choices(0, "recruit")
    assert r.do(0, "recruit", "archer").purse(0) == (0, 0, 0)
    assert "archer" not in Realm().has(0, "2 archer", gold=5).acting().choices(0, "recruit")


def test_pratchetts_plateau_builds_for_one_gold_less() -> None:
    r = builder("darktide_harbour").has(0, "pratchetts_plateau", gold=5).acting()
    assert r.payments(0, "build", "darktide_harbour") == [0]
    assert r.do(0, "build", "darktide_harbour").s.gold[0] == 0


def test_forgotten_sorrows_brings_magic_for_each_citizen_recruited_or_free() -> None:
    r = Realm().has(0, "forgotten_sorrows", gold=5).acting().do(0, "recruit", "knight")
    assert r.purse(0) == (2, 0, 1)
    r = builder("shattered_hand").has(0, "forgotten_sorrows", gold=7).acting().do(0, "build", "shattered_hand")
    assert r.do(0, "take", "cleric").s.magic[0] == 1


def test_the_violet_thorn_brings_magic_for_each_monster_slain() -> None:
    assert Realm().has(0, "the_violet_thorn", strength=1).acting().do(0, "slay", "goblin").purse(0) == (1, 0, 1)


@pytest.mark.parametrize(("domain", "name"), [("cathedral_of_st_aquila", "gold"), ("the_orb_of_urdr", "magic")])
def test_what_is_taken_at_the_end_of_the_action_phase(domain: str, name: str) -> None:
    def ending() -> Realm:
        return Realm(3).has(0, domain).has(1, gold=3, magic=3).has(2, gold=1, magic=1).finishing()

    resource = {"gold": 0, "magic": 2}[name]
    assert ending().args(0, "steal") == {(1, resource, 1), (2, resource, 1)}
    assert ending().do(0, "steal", 2, name, 1).counted()[:2] == [(f"{name}.2", -1), (f"{name}.0", 1)]
    assert all(by > 0 for _, by in ending().do(0, "pass").counted())
    assert Realm(3).has(0, domain).finishing().s.turn == 1


# --- once, when built -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("domain", "role"), [
    ("darktide_harbour", {"mercenary", "rogue"}), ("rogues_landing", {"merchant", "peasant", "butcher"}),
    ("shattered_hand", {"cleric", "paladin"}), ("cloudriders_camp", {"knight", "champion"}),
    ("grimmwater_keep", {"cleric", "merchant", "mercenary", "peasant", "knight", "rogue", "champion", "paladin", "butcher"}),
])  # fmt: skip
def test_a_free_citizen_must_be_taken(domain: str, role: set[str]) -> None:
    r = builder(domain).acting().do(0, "build", domain)
    assert r.choices(0, "take") == role and r.verbs(0) == {"take"}
    one = min(role)
    assert r.do(0, "take", one).kinds("tableau", 0)[-1] == one and r.s.strength[0] == 3 * (domain == "cloudriders_camp")


def test_cloudriders_camp_brings_strength_even_without_a_citizen() -> None:
    r = builder("cloudriders_camp").without("citizens", *range(10)).acting().do(0, "build", "cloudriders_camp")
    assert r.purse(0) == (0, 3, 0) and "take" not in r.verbs(0)


def test_the_eye_of_asteraten_gives_strength_and_one_more_monster() -> None:
    r = builder("eye_of_asteraten").acting().do(0, "build", "eye_of_asteraten")
    assert r.purse(0) == (0, 5, 0) and r.verbs(0) == {"slay", "pass"}
    r.do(0, "slay", "owlbear")
    assert r.purse(0) == (0, 1, 2) and "gain" in r.verbs(0) and r.s.turn == 0
    declined = builder("eye_of_asteraten").acting().do(0, "build", "eye_of_asteraten").do(0, "pass")
    assert declined.purse(0) == (0, 5, 0) and not declined.s.slain[0]


def test_the_eyes_monster_pays_the_violet_thorn() -> None:
    r = builder("eye_of_asteraten").has(0, "the_violet_thorn", gold=8).acting().do(0, "build", "eye_of_asteraten")
    assert r.do(0, "slay", "goblin").purse(0) == (1, 4, 1)


def test_the_golden_obelisk_turns_three_magic_into_three_points() -> None:
    def building() -> Realm:
        return builder("golden_obelisk_of_nae", magic=3).acting().do(0, "build", "golden_obelisk_of_nae")

    paid, declined = building().do(0, "pay"), building().do(0, "pass")
    assert (paid.s.vp[0], paid.s.magic[0]) == (3, 0) and (declined.s.vp[0], declined.s.magic[0]) == (0, 3)
    assert "pay" not in builder("golden_obelisk_of_nae", magic=2).acting().do(0, "build", "golden_obelisk_of_nae").verbs(0)


def test_cutthroats_truce_takes_three_gold_or_what_there_is() -> None:
    r = builder("cutthroats_truce", 3).has(1, gold=5).has(2, gold=2).acting().do(0, "build", "cutthroats_truce")
    assert r.args(0, "steal") == {(1, 0, 3), (2, 0, 2)} and r.verbs(0) == {"steal"}
    assert r.do(0, "steal", 2, "gold", 2).purse(2) == (0, 0, 0)
    assert builder("cutthroats_truce", 3).acting().do(0, "build", "cutthroats_truce").purse(0) == (0, 0, 0)


def test_watcher_on_the_water_puts_a_slain_monster_back_for_three_points() -> None:
    def building() -> Realm:
        r = builder("watcher_on_the_water", citizens=EVERY_ROLE + " 2 goblin owlbear").acting()
        return r.do(0, "build", "watcher_on_the_water")

    assert building().choices(0, "put_back") == {"goblin", "owlbear"}
    r = building().do(0, "put_back", "owlbear")
    assert r.s.vp[0] == 3 and r.kinds("monsters", 3)[-1] == "owlbear" and r.kinds("slain", 0) == ["goblin", "goblin"]
    assert building().do(0, "pass").s.vp[0] == 0
    assert "put_back" not in builder("watcher_on_the_water").acting().do(0, "build", "watcher_on_the_water").verbs(0)


def test_nest_of_the_weaver_witch_puts_a_citizen_back_but_no_starter() -> None:
    def building() -> Realm:
        return builder("nest_of_the_weaver_witch", citizens="2 merchant").acting().do(0, "build", "nest_of_the_weaver_witch")

    assert building().choices(0, "put_back") == {"merchant"}
    r = building().do(0, "put_back", "merchant")
    assert r.s.vp[0] == 3 and r.kinds("citizens", 1)[-1] == "merchant"
    assert r.kinds("tableau", 0) == ["starter_peasant", "starter_knight", "merchant"]
    assert building().do(0, "pass").s.vp[0] == 0


def test_purloiners_perch_takes_a_random_monster_without_its_reward() -> None:
    r = builder("purloiners_perch", 3).has(1, "goblin owlbear").acting().do(0, "build", "purloiners_perch")
    r.forced()
    assert len(r.s.slain[0]) == len(r.s.slain[1]) == 1 and r.purse(0) == (0, 0, 0)
    assert "rob" not in builder("purloiners_perch").acting().do(0, "build", "purloiners_perch").verbs(0)


def test_the_next_domain_is_turned_up_when_the_reward_is_done() -> None:
    r = builder("darktide_harbour").acting().do(0, "build", "darktide_harbour")
    assert not r.s.domains[0] and len(r.s.domains_below[0]) == 2
    r.do(0, "take", "rogue")
    assert len(r.s.domains[0]) == 1 and len(r.s.domains_below[0]) == 1


def test_roles_of_domains_do_not_help_to_build() -> None:
    r = builder("blood_crow_army", citizens="2 archer eye_of_asteraten").acting()
    assert "blood_crow_army" not in r.choices(0, "build")
