"""Prompts name the cause and the task, and offers name costs and destinations."""
from __future__ import annotations

import pytest

from ludarium_engine.kernel.describe import describe_choice, grouped, prompt
from ludarium_engine.titles.valley_of_the_kings import TITLE
from ludarium_engine.titles.valley_of_the_kings.plans import PLANS
from ludarium_engine.titles.valley_of_the_kings.prompts import OF_THE_ACTION, what_to
from ludarium_engine.titles.valley_of_the_kings.steps import Redraw
from tests.engine.valley_of_the_kings.scene import Table, table
from tests.engine.valley_of_the_kings.test_reactions import RICH


def test_every_part_of_an_action_that_asks_has_a_prompt() -> None:
    asking = [part.step for plan in PLANS for part in plan.parts if part.asks and not isinstance(part.step, Redraw)]
    assert {what_to(step) for step in asking} == {*OF_THE_ACTION}


@pytest.mark.parametrize(("hand", "zones", "asked"), [
    ("natron urn", {"deck": "kite kite"}, "Natron: sacrifice a card"),
    ("resin", {"discard": "boat kite"}, "Resin: take a card into your hand"),
    ("dagger urn", {"hand1": "kite", "hand2": "kite"}, "Dagger: choose an opponent"),
])  # fmt: skip
def test_a_part_of_an_action_names_the_card_and_what_it_does(hand: str, zones: dict[str, str], asked: str) -> None:
    scene = table(3, hand=hand, **zones).play(hand.split()[0])
    assert scene.prompt(0) == asked and scene.focus() == [hand.split()[0]]


def test_what_another_demands_names_the_action() -> None:
    scene = table(3, hand="inner_sarcophagus", hand1="urn kite", hand2="urn").play("inner_sarcophagus")
    assert scene.prompt(1) == "Ada uses Inner Sarcophagus: discard 2 cards from your hand"
    assert scene.focus() == ["inner_sarcophagus"]
    scene = table(hand="qebehsenuef_jar", hand1="kite urn", **RICH).play("qebehsenuef_jar")
    assert scene.prompt(1) == "Ada uses Qebehsenuef Canopic Jar: sacrifice a card from your hand"


def test_windows_name_who_and_which_card_to_holders_and_others_alike() -> None:
    scene = table(4, hand="statue_isis", hand1="urn", hand2="boat", discard3="kite").buy("statue_horus", "statue_isis")
    assert scene.prompt(2) == "Ada has bought Statue of Horus: discard Boat, or pass"
    assert prompt(TITLE, scene.s, 1) == prompt(TITLE, scene.s, 2) and scene.focus() == ["statue_horus"]
    scene = table(hand="qebehsenuef_jar mummified_cat", hand1="kite physician", **RICH).play("qebehsenuef_jar").pick("kite")
    asked = "Ada uses Qebehsenuef Canopic Jar, which would sacrifice Kite: discard Physician to save it, or pass"
    assert scene.prompt(1) == asked
    assert scene.labels(1, "physician") == ["Discard Physician and save Kite from the boneyard"]
    scene.passes()
    assert scene.prompt(0) == "Bea has sacrificed Kite: discard Mummified Cat to take it, or pass"
    assert scene.labels(0, "cat") == ["Discard Mummified Cat and take Kite"] and scene.focus()[0] == "kite"
    scene = table(hand="duamutef_jar", hand1="headrest urn").play("duamutef_jar").several("discard", "urn")
    assert scene.prompt(1) == "Ada has hit you with Duamutef Canopic Jar: discard Headrest, or pass"


def test_a_purchase_under_earlier_rules_names_no_card() -> None:
    scene = table(2, hand1="boat").asks("boat", 0, 0, -1)
    assert scene.prompt(1) == "Ada has bought a card: discard Boat, or pass" and scene.focus() == []


def test_a_stalled_pyramid_is_another_question_than_an_unchanged_one() -> None:
    assert table().end().prompt(0) == "The pyramid has not changed: sacrifice one of its cards"
    stalled = table(changed=True, quiet_turns=6).end().prompt(0)
    assert stalled == "No card has left the pyramid or the stock for three rounds: sacrifice a card of the pyramid"


def test_a_purchase_is_offered_with_its_price() -> None:
    dear, cheap = (table(hand="statue_isis statue_horus", discount=less, pyramid="urn - - - - -") for less in (0, 9))
    assert dear.labels(0, "buy") == ["Buy Urn for 1 gold"] and cheap.labels(0, "buy") == ["Buy Urn free of charge"]


def test_an_exchange_says_from_where() -> None:
    scene = table(hand="wadj_amulet kite", tomb="urn", deck="shabti").play("wadj_amulet")
    assert scene.labels(0, "exchange") == ["Exchange Kite (hand) for Urn (tomb)"]


# --- groups ---------------------------------------------------------------------------------------------------------------
def groups(scene: Table, verb: str) -> list[list[int]]:
    """Return the numbers of the offers in each list of each group of a verb."""
    choice = describe_choice(TITLE, scene.s, scene.seat())
    assert choice
    found = grouped(TITLE, scene.s, choice.offers)
    assert sorted(name for group in found for ids in group.offers for name in ids) == sorted(o.id for o in choice.offers)
    return [[len(ids) for ids in group.offers] for group in found if group.verb == verb]


def test_equal_cards_are_one_offer_with_a_number() -> None:
    scene = table(hand="urn kite urn shabti")
    assert groups(scene, "entomb") == [[2], [1], [1]]


def test_equal_cards_in_two_piles_are_two_offers() -> None:
    scene = table(hand="resin", discard="urn urn kite").play("resin")
    assert groups(scene, "to_hand") == [[2], [1]]
    scene = table(hand="burial_mask urn", discard="urn urn").play("burial_mask")
    assert groups(scene, "entomb") == [[1], [2]]


def test_offers_with_two_pieces_stand_under_the_first() -> None:
    scene = table(3, hand="weres_amulet kite urn", hand1="urn").play("weres_amulet")
    assert groups(scene, "give_to_tomb") == [[1, 1], [1, 1]]
