"""Prompts name players, cards and places, and offers name effects and prices."""
from __future__ import annotations

from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.bodies import Message, OfferBody
from ludarium_engine.kernel.describe import describe_choice, describe_view
from ludarium_engine.story.words import Words
from ludarium_engine.titles.kemet import TITLE
from tests.engine.kemet.language import Desert, charge, war
from tests.engine.kemet.test_battle import PUSH, STRONG

NAMES = ("Ada", "Bea", "Cleo")


def choice(d: Desert, seat: int) -> tuple[Message, list[OfferBody]]:
    found = describe_choice(TITLE, d.s, seat)
    assert found is not None
    return found.prompt, found.offers


def asked(d: Desert, seat: int) -> str:
    return words(d).message(choice(d, seat)[0])


def offered(d: Desert, seat: int, verb: str) -> list[str]:
    return [words(d).message(offer.label) for offer in choice(d, seat)[1] if offer.verb == verb]


def words(d: Desert) -> Words:
    spaces = next(drawing.spaces for drawing in TITLE.boards if drawing.seats == d.s.seats)
    return Words(TITLE, "en", NAMES, spaces)


# --- prompts ------------------------------------------------------------------------------------------------------------
def test_a_window_names_whose_card_it_is() -> None:
    d = Desert(3).cards(0, "prayer").cards(1, "veto").cards(2, "war_rage").do(0, "play prayer")
    assert asked(d, 1) == "Ada plays Prayer: cancel it?" and choice(d, 1)[0] == choice(d, 2)[0]
    d.do(2, "pass").do(1, "veto veto")
    assert d.asked == [2] and asked(d, 2) == "Bea plays Veto to cancel Prayer: cancel the Veto?"


def test_both_sides_of_a_battle_are_named() -> None:
    d = charge(war(3, 2))
    assert choice(d, 0)[0].id == "prompt.choose_cards.attacking" and choice(d, 1)[0].id == "prompt.choose_cards.defending"
    assert asked(d, 0).startswith("You attack Bea in Lower West Temple with 3 units against 2:")
    assert asked(d, 1).startswith("Ada attacks you in Lower West Temple with 3 against your 2 units:")


def test_the_beaten_hear_by_whom_and_what_it_pays() -> None:
    d = charge(war(4, 2)).fight(PUSH, PUSH)
    assert asked(d, 1) == "Ada has beaten your troop in Lower West Temple. Recall or retreat with 2 units?"
    assert offered(d, 1, "recall") == ["Recall 2 units and gain 2 prayer points"]


def test_a_troop_has_the_movement_of_its_creature_before_it_sets_out() -> None:
    d = Desert().troop(0, "A_d1", 3, "royal_scarab").go(0, "act move", "lead A_d1")
    assert asked(d, 0) == "3 units in City A, district 1: where to? Movement left: 3"
    d.do(0, "step A_front")
    assert asked(d, 0) == "3 units in Desert before city A: where to? Movement left: 2"


# --- offers -------------------------------------------------------------------------------------------------------------
def test_prices_are_those_that_the_seat_pays() -> None:
    d = Desert().points(0, 9).pyramid("A_d1", "blue", 2).do(0, "act raise")
    assert "Raise the blue pyramid in City A, district 1 to level 3 for 3 prayer points" in offered(d, 0, "raise")
    d = Desert().points(0, 9).tiles(0, "w2_slaves").pyramid("A_d1", "blue", 2).do(0, "act raise")
    assert "Raise the blue pyramid in City A, district 1 to level 3 for 2 prayer points" in offered(d, 0, "raise")
    assert "Found a red pyramid of level 1 in City A, district 2 free of charge" in offered(d, 0, "found")


def test_units_that_go_on_are_told_with_the_creature_only_if_there_is_one() -> None:
    d = Desert().troop(0, "A_d1", 2).go(0, "act move", "lead A_d1")
    assert offered(d, 0, "carry") == ["Move only 1 unit"]
    d = Desert().troop(0, "A_d1", 1, "sphinx").go(0, "act move", "lead A_d1")
    assert offered(d, 0, "carry") == ["Move 1 unit without The Sphinx"]


def test_an_attack_is_offered_as_one() -> None:
    d = war(3, 2).go(0, "act move", "lead A_front")
    assert "Attack 2 units of Bea in Lower West Temple" in offered(d, 0, "step")


def test_a_prayer_says_what_it_brings() -> None:
    d = Desert().points(0, 10)
    assert "Pray (second row): gain 1 prayer point" in offered(d, 0, "act")


# --- focus --------------------------------------------------------------------------------------------------------------
def test_a_battle_is_before_the_eyes_with_its_two_sides() -> None:
    d = charge(war(3, 2))
    assert d.focus() == d.focus(0) == ["T_SMALL_W", "0: 3", "1: 2"]


def test_what_each_side_has_so_far_counts_what_everybody_sees() -> None:
    d = charge(war(3, 2).tiles(0, "r3_divine_wound").cards(0, "prayer").tiles(1, "b1_defense"))
    before = [(3, 0, 0), (3, 0, 0)]
    assert counts(d) == before
    d.do(0, f"fight {STRONG} {PUSH}")
    assert counts(d) == counts(d, 0) == before              # secret choices do not count yet
    d.do(1, f"fight {PUSH} {STRONG}")
    assert counts(d) == [(7, 1, 0), (6, 0, 1)]
    d.do(0, d.offers(0)[0])
    assert d.asked == [1] and counts(d) == []             # the damage has been dealt


def counts(d: Desert, audience: int = SPECTATOR) -> list[tuple[int, int, int]]:
    """Return the strength, damage and protection of each side."""
    focus = describe_view(TITLE, d.s, audience).focus
    found = [side.counts for side in focus.sides] if focus else []
    return [(each["strength"], each["damage"], each["protection"]) for each in found if each]


def test_cards_that_wait_stand_before_what_they_are_played_against() -> None:
    d = Desert(3).cards(0, "prayer").cards(1, "veto").cards(2, "war_rage").do(0, "play prayer").do(2, "pass").do(1, "veto veto")
    assert d.focus() == ["veto", "prayer"]


def test_a_troop_on_its_way_is_before_the_eyes() -> None:
    d = Desert().troop(0, "A_d1", 3).go(0, "act move")
    assert d.focus() == [] and d.do(0, "lead A_d1").focus() == ["A_d1"]
