"""Prompts, costs and gains of offers, as text."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel.describe import describe_choice
from ludarium_engine.story.words import MINUS, Words
from ludarium_engine.titles.valeria import TITLE
from tests.engine.valeria.language import Realm

WORDS = Words(TITLE, "en", ["Ada", "Bo"])


def asked(r: Realm, seat: int = 0) -> str:
    choice = describe_choice(TITLE, r.s, seat)
    assert choice
    return WORDS.message(choice.prompt)


def labels(r: Realm, *verbs: str, seat: int = 0) -> list[str]:
    choice = describe_choice(TITLE, r.s, seat)
    assert choice
    return [WORDS.message(offer.label) for offer in choice.offers if offer.verb in verbs]


def test_whose_cards_bring_nothing_is_told_that_it_is_a_consolation() -> None:
    r = Realm().has(0).has(1, "merchant").rolled(1, 1)
    assert asked(r) == "None of your cards activated. Take one resource instead"
    assert labels(r, "harvest") == ["Take 1 gold", "Take 1 strength", "Take 1 magic"]


@pytest.mark.parametrize(("cards", "dice", "gold", "said"), [
    ("merchant", (2, 6), 0, ["Harvest +2 gold", "Harvest +2 magic"]),
    ("alchemist", (3, 4), 1, [f"Harvest +3 magic {MINUS}1 gold", "Use none of them"]),
])  # fmt: skip
def test_a_harvest_is_offered_as_what_changes(cards: str, dice: tuple[int, int], gold: int, said: list[str]) -> None:
    r = Realm().has(0, cards, gold=gold).rolled(*dice)
    assert asked(r) == "Choose what your cards give you" and sorted(labels(r, "harvest")) == said


def test_actions_are_offered_with_their_price() -> None:
    r = Realm().has(0, "2 archer", gold=9, strength=9, magic=9)
    r.on_top("citizens", 3, "archer").on_top("monsters", 0, "goblin").on_top("monsters", 2, "spider_queen").acting()
    offered = {"Recruit Archer for 6 gold", "Slay Goblin for 1 strength", "Slay Spider Queen for 10 strength and 3 magic"}
    assert offered <= {*labels(r, "recruit", "slay")}


def test_a_domain_costs_what_is_left_of_its_price() -> None:
    r = Realm().has(0, "2 butcher pratchetts_plateau", gold=9).on_top("domains", 0, "nest_of_the_weaver_witch").acting()
    assert "Build Nest of the Weaver Witch for 5 gold" in labels(r, "build")


def test_what_is_paid_for_says_the_price_and_what_it_brings() -> None:
    r = Realm().has(0, "butcher cleric", gold=9, magic=3).on_top("domains", 0, "golden_obelisk_of_nae").acting()
    r.do(0, "build", "golden_obelisk_of_nae")
    assert asked(r) == "Golden Obelisk of Nae: you may pay for its effect"
    assert labels(r, "pay", "pass") == ["Pay 3 magic for 3 victory points", "Pass"]


def test_a_changed_die_says_what_it_becomes_and_its_price() -> None:
    r = Realm().has(0, "foxgrove_palisade", gold=2).rolled(2, 6)
    assert asked(r) == "You rolled 2 + 6 = 8. Change a die or keep the roll"
    assert labels(r, "change", "announce") == [
        "Use Foxgrove Palisade: 2 becomes 6, for 2 gold", "Keep the roll: 2 + 6 = 8",
    ]  # fmt: skip


def test_a_free_citizen_says_what_else_comes_with_it() -> None:
    r = Realm().has(0, strength=9, magic=9).on_top("monsters", 2, "spider_queen").on_top("citizens", 3, "archer").acting()
    r.do(0, "slay", "spider_queen")
    assert asked(r) == "Spider Queen: choose your reward"
    assert "Take Archer free of charge, and 1 victory point" in labels(r, "take")


def test_alone_the_bank_stands_in_for_an_opponent() -> None:
    r = Realm(1).has(0, "thief").rolled(3, 4)
    assert asked(r) == "Thief: choose what to take from the bank"
    assert labels(r, "draw") == ["Take 3 gold from the bank", "Take 3 magic from the bank"]


def test_the_focus_is_the_card_whose_effect_it_is() -> None:
    r = Realm().has(0, "butcher cleric", gold=9, magic=3).on_top("domains", 0, "golden_obelisk_of_nae").acting()
    assert r.focus() == [] and r.do(0, "build", "golden_obelisk_of_nae").focus() == ["golden_obelisk_of_nae"]
