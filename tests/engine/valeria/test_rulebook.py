"""The worked examples of the rulebook."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel import Action, Illegal, decide
from ludarium_engine.testkit.scene import CHANCE
from ludarium_engine.titles.valeria import TITLE
from ludarium_engine.titles.valeria.cards import FACES, cards_of
from ludarium_engine.titles.valeria.harvest import activated
from tests.engine.valeria.language import Realm


def test_three_and_five_activate_three_five_and_eight() -> None:
    r = Realm().has(0, "cleric merchant mercenary archer peasant knight rogue champion paladin butcher").rolled(3, 5)
    assert {FACES[card].id for card in activated(r.s, 0)} == {"mercenary", "starter_peasant", "peasant", "champion"}


def test_two_archers_both_activate() -> None:
    assert Realm().has(0, "2 archer").rolled(4, 1).purse(0)[1] == 4


def test_three_archers_and_a_double_four_are_six_activations() -> None:
    assert Realm().has(0, "3 archer").rolled(4, 4).purse(0) == (0, 12, 0)


def test_the_thief_takes_before_the_others_peasants_bring_gold() -> None:
    r = Realm().has(0, "thief").has(1, "", gold=2).rolled(2, 5)
    assert r.asked == [0] and r.args(0, "steal") == {(1, 0, 1), (1, 0, 2)} and r.purse(1) == (2, 0, 0)
    r.do(0, "steal", 1, "gold", 2)
    assert r.purse(0) == (3, 0, 0) and r.purse(1) == (1, 0, 0)


def test_the_monk_is_paid_with_the_peasants_gold() -> None:
    r = Realm().has(1, "monk").rolled(1, 4)
    assert r.purse(1) == (1, 0, 0) and r.asked == [1]
    r.do(1, "harvest", -1, 0, 2)
    assert r.purse(1) == (0, 0, 2)


def test_a_treant_dies_of_one_strength_and_two_magic() -> None:
    r = Realm().has(0, strength=1, magic=2).acting()
    assert r.payments(0, "slay", "treant") == [2]
    r.do(0, "slay", "treant")
    assert r.purse(0) == (1, 0, 1) and r.kinds("slain", 0) == ["treant"]


def test_a_gelatinous_cube_dies_of_three_strength_and_two_magic() -> None:
    r = Realm(areas=["swamp", "hills", "ruins", "forest", "valley"]).has(0, strength=3, magic=2).acting()
    assert r.payments(0, "slay", "gelatinous_cube") == [1]
    assert r.do(0, "slay", "gelatinous_cube").purse(0) == (2, 0, 0)


def test_the_second_peasant_costs_three_one_gold_at_least() -> None:
    r = Realm().has(0, gold=1, magic=2).acting()
    assert r.payments(0, "recruit", "peasant") == [2]
    assert r.do(0, "recruit", "peasant").purse(0) == (0, 0, 0)
    assert "recruit" not in Realm().has(0, magic=9).acting().verbs(0)


def test_the_palace_of_the_dawn_needs_a_worker_two_soldiers_and_eleven_gold() -> None:
    r = Realm().on_top("domains", 0, "palace_of_the_dawn").has(0, "peasant 2 archer", gold=11).acting()
    r.do(0, "build", "palace_of_the_dawn")
    assert r.kinds("built", 0) == ["palace_of_the_dawn"] and r.purse(0) == (0, 0, 0)
    poorer = Realm().on_top("domains", 0, "palace_of_the_dawn").has(0, "peasant 2 archer", gold=10)
    assert "palace_of_the_dawn" not in poorer.acting().choices(0, "build")
    one_soldier = Realm().on_top("domains", 0, "palace_of_the_dawn").has(0, "peasant archer", gold=11)
    assert "palace_of_the_dawn" not in one_soldier.acting().choices(0, "build")


@pytest.mark.parametrize(("a", "b", "who"), [(1, 2, "nobody"), (2, 3, "peasants"), (3, 3, "knights"), (5, 5, "peasants twice")])
def test_what_a_first_roll_brings(a: int, b: int, who: str) -> None:
    r = Realm().rolled(a, b)
    brought = {"nobody": (0, 0, 0), "peasants": (1, 0, 0), "knights": (0, 1, 0), "peasants twice": (2, 0, 0)}[who]
    assert {r.purse(0), r.purse(1)} == {brought}
    assert r.args(0, "harvest") == ({(1, 0, 0), (0, 1, 0), (0, 0, 1)} if who == "nobody" else set())
    assert r.asked == ([0, 1] if who == "nobody" else [0])


def test_never_more_tokens_than_are_due_and_never_magic_alone() -> None:
    r = Realm().has(0, strength=9, magic=9).acting()
    card = next(c for c in cards_of("treant") if c in r.s.monsters[2])
    assert r.payments(0, "slay", "treant") == [0, 1, 2]
    for magic in (3, 4, -1):
        with pytest.raises(Illegal):
            decide(TITLE, r.s, 0, Action("slay", (card, magic)), CHANCE)


def test_exactly_two_actions_and_no_passing() -> None:
    r = Realm(3).acting()
    assert r.verbs(0) == {"gain"}
    r.do(0, "gain", "gold")
    assert r.asked == [0] and r.s.turn == 0
    r.do(0, "gain", "magic")
    assert r.s.turn == 1
